#include "store/memory/lease_table.hpp"

namespace mizan::memory {

Result<LeaseAttempt> MemoryLeaseTable::acquire(const Resource& resource,
                                               const LockOwner& owner,
                                               std::chrono::milliseconds ttl) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[resource];
  if (!is_held(row)) {
    row.owner = owner;
    row.token = FenceToken{row.token.value() + 1};
  } else if (row.owner != owner) {
    // Rounded up: whoever waits that long finds it expired.
    return LeaseAttempt(
        LeaseHeld{std::chrono::ceil<std::chrono::milliseconds>(row.expires_at - clock_.now())});
  }
  row.expires_at = clock_.now() + ttl;
  return LeaseAttempt(LeaseGranted{row.token, ttl});
}

Result<bool> MemoryLeaseTable::renew(const Resource& resource,
                                     const LockOwner& owner,
                                     std::chrono::milliseconds ttl) {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(resource);
  if (row == rows_.end() || !is_held(row->second) || row->second.owner != owner) return false;
  row->second.expires_at = clock_.now() + ttl;
  return true;
}

Result<bool> MemoryLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(resource);
  if (row == rows_.end() || !is_held(row->second) || row->second.owner != owner) return false;
  row->second.owner = LockOwner{};
  return true;
}

bool MemoryLeaseTable::is_held(const Row& row) const {
  return !row.owner.empty() && clock_.now() < row.expires_at;
}

}  // namespace mizan::memory
