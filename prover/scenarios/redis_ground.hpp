#pragma once

#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/lock.hpp"
#include "mizan/redis.hpp"

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
#include <utility>
#include <vector>

namespace mizan::prover {

/// What every scenario with a lock locks.
inline const Resource redis_resource{"wallet/shop"};

/// A private Redis, or nothing after noting in `run` why not: SKIPPED with the package's name.
[[nodiscard]] std::unique_ptr<testkit::RedisServer> start_redis(
    Run& run, testkit::RedisServerOptions options = {});

[[nodiscard]] RedisOptions options_for(const testkit::RedisServer& server);

/// Where the holders of a scenario take their lock: in the Redis of `--lock`, in a private one, in
/// the store or in this process.
class LockPlace {
 public:
  /// Null after noting in the run why not: SKIPPED for a lock that keeps nobody out.
  [[nodiscard]] static std::unique_ptr<LockPlace> open(Run& run);

  /// A table of one process's own, or a shared one where there is no other way.
  [[nodiscard]] Result<std::unique_ptr<LeaseTable>> open_table(Store& store, EpochTable* epochs);

  /// Nothing where the lock is not in Redis.
  [[nodiscard]] const std::optional<RedisOptions>& redis() const noexcept { return redis_; }

 private:
  LockPlace() = default;

  std::unique_ptr<testkit::RedisServer> private_redis_;  // Null: the user's, or none.
  std::optional<RedisOptions> redis_;
  std::unique_ptr<LeaseTable> memory_;
};

/// True where a scenario may work with private Redis servers: no other lock was asked for. Notes
/// in the run why not: SKIPPED, with the reason and what to pass. `why` is a reason up to there.
bool may_use_private_redis(Run& run, std::string_view why);

/// A store with the wallets shop (100), supplier and landlord, or nothing after noting why not.
[[nodiscard]] std::unique_ptr<Bench> open_shop(Run& run, Strategy strategy);

/// One process that takes the lock and pays: connections and threads of its own.
class RedisHolder {
 public:
  struct Place {
    const RedisOptions& redis;
    Bench& bench;
    std::size_t client;
  };

  RedisHolder(Run& run, const Place& place);
  RedisHolder(Run& run, LockPlace& lock, Bench& bench, std::size_t client);
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
  void start(Result<std::unique_ptr<LeaseTable>> table, const std::optional<RedisOptions>& redis);

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
