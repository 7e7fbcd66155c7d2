#include "store/sqlite/reader_pool.hpp"

#include "store/sqlite/schema.hpp"
#include "store/sqlite/schema_check.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <chrono>
#include <utility>

namespace mizan::sqlite {
namespace {

constexpr std::chrono::seconds wait_max{30};

/// Readers wait for nobody in WAL mode but while a crashed owner's WAL is recovered.
constexpr std::chrono::milliseconds busy_wait{5'000};

}  // namespace

ReaderPool::ReaderPool(Options options, const Clock& clock)
    : options_(std::move(options)), clock_(clock), turn_(clock, options_.readers_max) {
  idle_.reserve(options_.readers_max);
}

Result<ReaderPool::Lent> ReaderPool::lend() {
  if (!turn_.take(clock_.now() + wait_max)) {
    return unavailable("sqlite: snapshot", "every reading connection is in use; close a snapshot");
  }
  {
    const MutexLock lock(mutex_);
    if (!idle_.empty()) {
      Lent lent(*this, std::move(idle_.back()));
      idle_.pop_back();
      return lent;
    }
  }
  auto connection = open();
  if (!connection) {
    turn_.give_back();
    return connection.error();
  }
  return Lent(*this, std::move(*connection));
}

Result<std::unique_ptr<Connection>> ReaderPool::open() const {
  auto connection = Connection::open(options_.file, OpenMode::read_only, nullptr);
  if (!connection) return connection;
  (*connection)->set_busy_wait(busy_wait);
  Status configured =
      (*connection)->run_script(sqlite_sql::configure_reader, "{cache_kib}", options_.cache_kib);
  if (!configured) return configured.error();
  return connection;
}

void ReaderPool::take_back(std::unique_ptr<Connection> connection) noexcept {
  {
    const MutexLock lock(mutex_);
    idle_.push_back(std::move(connection));  // Reserved: allocates nothing.
  }
  turn_.give_back();
}

Status ReaderPool::Lent::require_whole_schema() {
  if (Status current = require_schema(*connection_); !current) return current;
  if (pool_->objects_known_) return {};
  if (Status whole = require_objects(*connection_); !whole) return whole;
  pool_->objects_known_ = true;
  return {};
}

ReaderPool::Lent::~Lent() {
  if (connection_) pool_->take_back(std::move(connection_));
}

}  // namespace mizan::sqlite
