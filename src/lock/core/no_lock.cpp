#include "mizan/lock.hpp"

#include "base/mutex.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace mizan {

namespace {

/// Grants everything to everybody.
class OpenTable final : public LeaseTable {
 public:
  // Counting on from the time (µs since 1970) keeps tokens growing over restarts, too.
  explicit OpenTable(const Clock& clock) : last_(clock.wall_now().time_since_epoch().count()) {}

  Result<LeaseAttempt> acquire(const Resource& /*resource*/,
                               const LockOwner& /*owner*/,
                               std::chrono::milliseconds ttl) override {
    const MutexLock lock(mutex_);
    return {LeaseGranted{FenceToken{++last_}, ttl}};
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
  Mutex mutex_;
  std::int64_t last_ MIZAN_GUARDED_BY(mutex_);
};

class NoLock final : public LockService {
 public:
  explicit NoLock(const Clock& clock)
      : table_(clock), service_(make_lock_service("none", table_, clock)) {}

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

 private:
  OpenTable table_;
  std::unique_ptr<LockService> service_;  // Destroyed first.
};

}  // namespace

std::unique_ptr<LockService> make_no_lock(const Clock& clock) {
  return std::make_unique<NoLock>(clock);
}

}  // namespace mizan
