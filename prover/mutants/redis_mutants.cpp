#include "prover/mutants/redis_mutants.hpp"

#include "prover/mutants/leases.hpp"
#include "prover/servers/redis_room.hpp"

#include <string>
#include <utility>

namespace mizan::prover {

namespace {

class ForgottenEpochs final : public EpochTable {
 public:
  Result<std::int64_t> next_epoch(std::int64_t above) override { return above + 1; }
};

/// As the table below it, for mutants that get one call wrong.
class ForwardingLeases : public LeaseTable {
 public:
  explicit ForwardingLeases(LeaseTable& base) noexcept : base_(base) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override {
    return base_.acquire(resource, owner, ttl);
  }

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    return base_.renew(resource, owner, ttl);
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return base_.release(resource, owner);
  }

 private:
  LeaseTable& base_;
};

/// No answer counts as a yes.
class GrantsInvented final : public ForwardingLeases {
 public:
  using ForwardingLeases::ForwardingLeases;

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override {
    auto attempt = ForwardingLeases::acquire(resource, owner, ttl);
    if (attempt) return attempt;
    return LeaseAttempt{LeaseGranted{FenceToken{1}, ttl}};
  }
};

/// Release is DEL.
class ReleaseByAnyone final : public ForwardingLeases {
 public:
  ReleaseByAnyone(LeaseTable& base, RedisOptions redis)
      : ForwardingLeases(base), redis_(std::move(redis)) {}

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    auto released = ForwardingLeases::release(resource, owner);
    if (!released || *released) return released;
    if (const Status deleted = delete_lease(redis_, resource); !deleted) return deleted.error();
    return true;
  }

 private:
  RedisOptions redis_;
};

/// A renewal that finds nothing takes the lease again.
class RenewalTakesAgain final : public ForwardingLeases {
 public:
  using ForwardingLeases::ForwardingLeases;

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    auto renewed = ForwardingLeases::renew(resource, owner, ttl);
    if (!renewed || *renewed) return renewed;
    const auto again = acquire(resource, owner, ttl);
    if (!again) return again.error();
    return std::holds_alternative<LeaseGranted>(*again);
  }
};

}  // namespace

std::unique_ptr<EpochTable> make_forgotten_epochs() {
  return std::make_unique<ForgottenEpochs>();
}

std::unique_ptr<LeaseTable> make_borrowed_leases(LeaseTable& base) {
  return std::make_unique<ForwardingLeases>(base);
}

std::unique_ptr<LeaseTable> make_redis_mutant(std::string_view name,
                                              LeaseTable& base,
                                              const std::optional<RedisOptions>& redis) {
  if (name == "grants-invented") return std::make_unique<GrantsInvented>(base);
  if (name == "renewal-takes-again") return std::make_unique<RenewalTakesAgain>(base);
  if (name == "release-by-anyone" && redis) return std::make_unique<ReleaseByAnyone>(base, *redis);
  return nullptr;
}

}  // namespace mizan::prover
