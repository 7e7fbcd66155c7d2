#include "store/mariadb/pool.hpp"

#include <string>
#include <utility>

namespace mizan::mariadb {

Pool::Pool(ConnectionSettings settings, std::uint32_t connections_max, const Clock& clock)
    : settings_(std::move(settings)),
      clock_(clock),
      connections_max_(connections_max),
      turn_(clock, connections_max) {
  idle_.reserve(connections_max);
}

Result<Pool::Lent> Pool::lend(Deadline deadline) {
  if (!turn_.take(deadline)) {
    return unavailable("mariadb: connection",
                       "every one of " + std::to_string(connections_max_) +
                           " connections was in use until the deadline");
  }
  while (auto connection = take_idle()) {
    if (connection->is_alive()) return Lent(*this, std::move(connection));
  }
  auto opened = Connection::open(settings_, clock_, deadline);
  if (!opened) {
    turn_.give_back();
    return opened.error();
  }
  return Lent(*this, std::move(*opened));
}

std::unique_ptr<Connection> Pool::take_idle() {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return nullptr;
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

void Pool::take_back(std::unique_ptr<Connection> connection) noexcept {
  std::vector<std::unique_ptr<Connection>> stale;
  {
    const MutexLock lock(mutex_);
    if (connection->is_lost()) {
      // What ended one link has most likely ended those beside it.
      stale.swap(idle_);
      idle_.reserve(connections_max_);
    } else if (!connection->in_transaction()) {
      idle_.push_back(std::move(connection));  // Reserved: allocates nothing.
    }
  }
  connection.reset();
  stale.clear();
  turn_.give_back();
}

Pool::Lent::~Lent() {
  if (connection_) pool_->take_back(std::move(connection_));
}

}  // namespace mizan::mariadb
