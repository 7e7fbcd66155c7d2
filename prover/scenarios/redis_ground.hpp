#pragma once

#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/lock.hpp"

#include "prover/bench.hpp"
#include "prover/run.hpp"
#include "testkit/redis_server.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::prover {

/// What every scenario with a lock in Redis locks.
inline const Resource redis_resource{"wallet/shop"};

/// A private Redis, or nothing after noting in `run` why not: SKIPPED with the package's name.
[[nodiscard]] std::unique_ptr<testkit::RedisServer> start_redis(
    Run& run, testkit::RedisServerOptions options = {});

/// A store with the wallets shop (100), supplier and landlord, or nothing after noting why not.
[[nodiscard]] std::unique_ptr<Bench> open_shop(Run& run, Strategy strategy);

/// One process that takes the lock in Redis and pays: connections and threads of its own.
class RedisHolder {
 public:
  struct Place {
    const testkit::RedisServer& server;
    Bench& bench;
    std::size_t client;
  };

  RedisHolder(Run& run, const Place& place);
  RedisHolder(const RedisHolder&) = delete;
  RedisHolder& operator=(const RedisHolder&) = delete;
  ~RedisHolder();

  /// Waits up to 20 s for the lease and notes the grant; false after noting that it never came.
  bool acquire(std::chrono::milliseconds ttl, bool renews = false);

  /// Would it get the lock right now? Gives it back when it does.
  [[nodiscard]] bool finds_it_free();

  /// Pays from the shop under the token of its lease.
  Code pay(std::string_view id, std::string_view to, std::int64_t amount);

  [[nodiscard]] Lease& lease() { return *lease_; }

  /// The table that its lock service uses, mutated where the run says so.
  [[nodiscard]] LeaseTable& table();

  /// From now on its lock service renews through this one.
  void use(LeaseTable& table);

 private:
  Run& run_;
  Bench& bench_;
  std::size_t client_;
  std::unique_ptr<EpochTable> epochs_;  // Null: those of the store.
  std::unique_ptr<LeaseTable> base_;
  std::unique_ptr<LeaseTable> mutated_;  // Null: as it is.
  std::unique_ptr<LockService> service_;
  std::optional<Lease> lease_;  // Goes first.
};

/// Redis's own view: a command of whoever operates it. Notes in `run` when it fails.
void command_redis(Run& run,
                   const testkit::RedisServer& server,
                   const std::vector<std::string>& words);

}  // namespace mizan::prover
