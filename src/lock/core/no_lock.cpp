#include "mizan/lock.hpp"

#include "base/mutex.hpp"
#include "lock/core/owning_lock.hpp"

#include <chrono>
#include <cstdint>
#include <memory>

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

}  // namespace

std::unique_ptr<LockService> make_no_lock(const Clock& clock) {
  return std::make_unique<lock::OwningLock<OpenTable, false>>("none", clock);
}

}  // namespace mizan
