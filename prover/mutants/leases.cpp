#include "prover/mutants/leases.hpp"

#include "mizan/clock.hpp"

#include "prover/mutants/mutants.hpp"

#include <atomic>

namespace mizan::prover {

namespace {

/// A counter that was restored from an old snapshot, again and again: each grant is older than the
/// one before it.
class TokensGoBack final : public LeaseTable {
 public:
  explicit TokensGoBack(LeaseTable& base) noexcept : base_(base) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override {
    auto attempt = base_.acquire(resource, owner, ttl);
    if (!attempt) return attempt;
    if (auto* granted = std::get_if<LeaseGranted>(&*attempt)) {
      granted->token = FenceToken{ceiling - granted->token.value()};
    }
    return attempt;
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
  static constexpr std::int64_t ceiling = 1'000'000'000;
  LeaseTable& base_;
};

/// A lock that keeps nobody out: everybody holds it at once. Its tokens still grow, from one
/// process to the next too: they count on from the time (µs since 1970).
class GrantsEverybody final : public LeaseTable {
 public:
  explicit GrantsEverybody(const Clock& clock)
      : token_(clock.wall_now().time_since_epoch().count()) {}

  Result<LeaseAttempt> acquire(const Resource& /*resource*/,
                               const LockOwner& /*owner*/,
                               std::chrono::milliseconds ttl) override {
    return LeaseAttempt{LeaseGranted{FenceToken{++token_}, ttl}};
  }

  Result<bool> renew(const Resource& /*resource*/,
                     const LockOwner& /*owner*/,
                     std::chrono::milliseconds /*ttl*/) override {
    return true;
  }

  Result<bool> release(const Resource& /*resource*/, const LockOwner& /*owner*/) override {
    return true;
  }

 private:
  std::atomic<std::int64_t> token_;
};

}  // namespace

std::unique_ptr<LeaseTable> make_mutant_leases(std::string_view name, LeaseTable& base) {
  if (name == "tokens-go-back") return std::make_unique<TokensGoBack>(base);
  return nullptr;
}

std::unique_ptr<LeaseTable> make_open_leases() {
  return std::make_unique<GrantsEverybody>(system_clock());
}

}  // namespace mizan::prover
