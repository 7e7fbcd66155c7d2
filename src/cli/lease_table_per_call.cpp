#include "cli/lease_table_per_call.hpp"

#include <chrono>
#include <utility>

namespace mizan::cli {

LeaseTablePerCall::LeaseTablePerCall(Open open, const Clock& clock)
    : open_(std::move(open)), clock_(clock) {}

Result<LeaseAttempt> LeaseTablePerCall::acquire(const Resource& resource,
                                                const LockOwner& owner,
                                                std::chrono::milliseconds ttl) {
  const MutexLock lock(mutex_);
  auto store = open_();
  if (!store) return std::move(store).error();
  return (*store)->leases().acquire(resource, owner, ttl);
}

Result<LeaseAttempt> LeaseTablePerCall::acquire_within(const Resource& resource,
                                                       const LockOwner& owner,
                                                       std::chrono::milliseconds ttl,
                                                       std::chrono::milliseconds limit) {
  const Deadline deadline = clock_.now() + limit;
  const MutexLock lock(mutex_);
  auto store = open_();
  if (!store) return std::move(store).error();
  // What another exchange and the opening took is part of the caller's time.
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.now());
  if (left.count() <= 0) {
    return unavailable("lock: store", "no time was left when the store was open");
  }
  return (*store)->leases().acquire_within(resource, owner, ttl, left);
}

Result<bool> LeaseTablePerCall::renew(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds ttl) {
  const MutexLock lock(mutex_);
  auto store = open_();
  if (!store) return std::move(store).error();
  return (*store)->leases().renew(resource, owner, ttl);
}

Result<bool> LeaseTablePerCall::release(const Resource& resource, const LockOwner& owner) {
  const MutexLock lock(mutex_);
  auto store = open_();
  if (!store) return std::move(store).error();
  return (*store)->leases().release(resource, owner);
}

}  // namespace mizan::cli
