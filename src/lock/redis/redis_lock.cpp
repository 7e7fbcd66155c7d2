#include "base/raisable_tokens.hpp"
#include "lock/redis/doctor.hpp"
#include "lock/redis/epochs.hpp"
#include "lock/redis/options.hpp"
#include "lock/redis/redis_lease_table.hpp"
#include "lock/redis/servers.hpp"

#include <chrono>
#include <memory>
#include <utility>

namespace mizan {
namespace redis {
namespace {

/// A lease table with all that it stands on.
class OwningTable final : public LeaseTable {
 public:
  OwningTable(std::string prefix, std::unique_ptr<Servers> servers, EpochTable* epochs)
      : has_database_(epochs != nullptr),
        servers_(std::move(servers)),
        table_(std::move(prefix), *servers_, epochs != nullptr ? *epochs : by_clock_) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override {
    return table_.acquire(resource, owner, ttl);
  }

  Result<LeaseAttempt> acquire_within(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds ttl,
                                      std::chrono::milliseconds limit) override {
    return table_.acquire_within(resource, owner, ttl, limit);
  }

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    return table_.renew(resource, owner, ttl);
  }

  Result<Renewal> extend(const Resource& resource,
                         const LockOwner& owner,
                         std::chrono::milliseconds ttl) override {
    return table_.extend(resource, owner, ttl);
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return table_.release(resource, owner);
  }

  Result<bool> renew_within(const Resource& resource,
                            const LockOwner& owner,
                            std::chrono::milliseconds ttl,
                            std::chrono::milliseconds limit) override {
    return table_.renew_within(resource, owner, ttl, limit);
  }

  Result<bool> release_within(const Resource& resource,
                              const LockOwner& owner,
                              std::chrono::milliseconds limit) override {
    return table_.release_within(resource, owner, limit);
  }

  void wait_for_release(const Resource& resource,
                        std::chrono::milliseconds until_at_most) override {
    table_.wait_for_release(resource, until_at_most);
  }

  bool raise_above(const Resource& resource, FenceToken newest) {
    return table_.raise_above(resource, newest);
  }

  Result<std::vector<Finding>> doctor() {
    auto findings = inspect(*servers_);
    if (!findings) return findings;
    if (has_database_) {
      findings->push_back({Finding::Level::ok, "tokens", "ordered by the database"});
    } else {
      findings->push_back({Finding::Level::warning,
                           "tokens",
                           "no database orders them: after a loss of Redis's data they go on from "
                           "the wall clock, and may repeat"});
    }
    return findings;
  }

 private:
  const bool has_database_;
  ClockEpochTable by_clock_;
  const std::unique_ptr<Servers> servers_;
  RedisLeaseTable table_;
};

/// The service over such a table, with the doctor.
class RedisLock final : public LockService, public RaisableTokens {
 public:
  RedisLock(std::unique_ptr<OwningTable> table, const Clock& clock)
      : table_(std::move(table)), service_(make_lock_service("redis", *table_, clock)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return service_->name(); }

  Result<AcquireOutcome> acquire(AcquireRequest request) override {
    return service_->acquire(std::move(request));
  }

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    return service_->renew(resource, owner, ttl);
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return service_->release(resource, owner);
  }

  Result<bool> renew_within(const Resource& resource,
                            const LockOwner& owner,
                            std::chrono::milliseconds ttl,
                            std::chrono::milliseconds limit) override {
    return service_->renew_within(resource, owner, ttl, limit);
  }

  Result<bool> release_within(const Resource& resource,
                              const LockOwner& owner,
                              std::chrono::milliseconds limit) override {
    return service_->release_within(resource, owner, limit);
  }

  bool raise_above(const Resource& resource, FenceToken newest) override {
    return table_->raise_above(resource, newest);
  }

  Result<std::vector<Finding>> doctor() override { return table_->doctor(); }

 private:
  const std::unique_ptr<OwningTable> table_;
  const std::unique_ptr<LockService> service_;  // Destroyed first.
};

Result<std::unique_ptr<OwningTable>> make_table(const RedisOptions& options, EpochTable* epochs) {
  if (Status valid = check(options); !valid) return valid.error();
  std::shared_ptr<const TlsContext> tls;
  if (options.tls) {
    auto made = TlsContext::make(options);
    if (!made) return std::move(made).error();
    tls = std::move(*made);
  }
  auto servers = options.topology == RedisTopology::cluster ? make_cluster_servers(options, tls)
                                                            : make_master_servers(options, tls);
  return std::make_unique<OwningTable>(options.prefix, std::move(servers), epochs);
}

}  // namespace
}  // namespace redis

Result<std::unique_ptr<LeaseTable>> make_redis_lease_table(const RedisOptions& options,
                                                           EpochTable* epochs) {
  auto table = redis::make_table(options, epochs);
  if (!table) return std::move(table).error();
  return std::unique_ptr<LeaseTable>(std::move(*table));
}

Result<std::unique_ptr<LockService>> make_redis_lock(const RedisOptions& options,
                                                     EpochTable* epochs,
                                                     const Clock& clock) {
  auto table = redis::make_table(options, epochs);
  if (!table) return std::move(table).error();
  return std::unique_ptr<LockService>(std::make_unique<redis::RedisLock>(std::move(*table), clock));
}

}  // namespace mizan
