#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"
#include "store/mariadb/connection.hpp"
#include "store/sql/turn.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace mizan::mariadb {

/// Connections that are opened when needed and kept. Who finds all in use waits in this process,
/// in order of arrival, and not on the server. Must outlive what it lends. Any thread may call.
class Pool {
 public:
  Pool(ConnectionSettings settings, std::uint32_t connections_max, const Clock& clock);

  /// Gives a connection back at its end, or closes it where it was lost or left in a transaction.
  class Lent {
   public:
    Lent(Pool& pool, std::unique_ptr<Connection> connection) noexcept
        : pool_(&pool), connection_(std::move(connection)) {}

    Lent(Lent&&) noexcept = default;
    Lent& operator=(Lent&&) = delete;
    ~Lent();

    [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

   private:
    Pool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  /// Blocks until a connection is free or the deadline has passed; then `unavailable`.
  [[nodiscard]] Result<Lent> lend(Deadline deadline) MIZAN_EXCLUDES(mutex_);

 private:
  [[nodiscard]] std::unique_ptr<Connection> take_idle() MIZAN_EXCLUDES(mutex_);
  void take_back(std::unique_ptr<Connection> connection) noexcept MIZAN_EXCLUDES(mutex_);

  ConnectionSettings settings_;
  const Clock& clock_;
  std::uint32_t connections_max_;
  sql::Turn turn_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::mariadb
