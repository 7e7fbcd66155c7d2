#include "cli/lease_table_per_call.hpp"

#include <utility>

namespace mizan::cli {

LeaseTablePerCall::LeaseTablePerCall(Open open) : open_(std::move(open)) {}

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
  const MutexLock lock(mutex_);
  auto store = open_();
  if (!store) return std::move(store).error();
  return (*store)->leases().acquire_within(resource, owner, ttl, limit);
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
