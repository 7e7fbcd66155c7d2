#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"
#include "store/sql/turn.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::sql {

/// Connections that are opened when needed and kept. Who finds all in use waits in this process,
/// in order of arrival, and not on the server. Must outlive what it lends. Any thread may call.
///
/// `Connection` has a static `open(settings, clock, deadline)` and `pool_name`, the "where" of the
/// pool's own errors, and says whether it `is_alive`, `is_lost` and `in_transaction`.
template <class Connection, class Settings>
class ConnectionPool {
 public:
  ConnectionPool(Settings settings, std::uint32_t connections_max, const Clock& clock)
      : settings_(std::move(settings)),
        clock_(clock),
        connections_max_(connections_max),
        turn_(clock, connections_max) {
    idle_.reserve(connections_max);
  }

  /// Gives a connection back at its end, or closes it where it was lost or left in a transaction.
  class Lent {
   public:
    Lent(ConnectionPool& pool, std::unique_ptr<Connection> connection) noexcept
        : pool_(&pool), connection_(std::move(connection)) {}

    Lent(Lent&&) noexcept = default;
    Lent& operator=(Lent&&) = delete;

    ~Lent() {
      if (connection_) pool_->take_back(std::move(connection_));
    }

    [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  /// Blocks until a connection is free or the deadline has passed; then `unavailable`.
  [[nodiscard]] Result<Lent> lend(Deadline deadline) MIZAN_EXCLUDES(mutex_) {
    if (!turn_.take(deadline)) {
      return unavailable(Connection::pool_name,
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

 private:
  [[nodiscard]] std::unique_ptr<Connection> take_idle() MIZAN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (idle_.empty()) return nullptr;
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }

  void take_back(std::unique_ptr<Connection> connection) noexcept MIZAN_EXCLUDES(mutex_) {
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

  Settings settings_;
  const Clock& clock_;
  std::uint32_t connections_max_;
  Turn turn_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::sql
