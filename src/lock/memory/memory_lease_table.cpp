#include "lock/memory/memory_lease_table.hpp"

#include "mizan/lock.hpp"

#include "base/raisable_tokens.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

namespace mizan::lock {

using std::chrono::milliseconds;

MemoryLeaseTable::MemoryLeaseTable(const Clock& clock)
    : clock_(clock), last_token_(clock.wall_now().time_since_epoch().count()) {}

MemoryLeaseTable::Entries::iterator MemoryLeaseTable::find_held(const Resource& resource,
                                                                Instant now) {
  const auto found = entries_.find(resource);
  return found != entries_.end() && found->second.expires > now ? found : entries_.end();
}

void MemoryLeaseTable::forget_expired(Instant now) {
  if (entries_.size() < sweep_at_) return;
  std::erase_if(entries_, [now](const auto& entry) { return entry.second.expires <= now; });
  // Doubling keeps the cost of sweeping constant per acquisition.
  sweep_at_ = std::max<std::size_t>(1'024, entries_.size() * 2);
}

std::condition_variable_any& MemoryLeaseTable::released(const Resource& resource) noexcept {
  return released_[std::hash<Resource>{}(resource) % released_.size()];
}

Result<LeaseAttempt> MemoryLeaseTable::acquire(const Resource& resource,
                                               const LockOwner& owner,
                                               milliseconds ttl) {
  const MutexLock lock(mutex_);
  const Instant now = clock_.now();
  const auto held = find_held(resource, now);
  if (held == entries_.end()) {
    forget_expired(now);
    const FenceToken token{++last_token_};
    entries_.insert_or_assign(resource, Entry{owner, token, now + ttl});
    return {LeaseGranted{token, ttl}};
  }
  if (held->second.owner == owner) {
    held->second.expires = now + ttl;
    return {LeaseGranted{held->second.token, ttl}};
  }
  return {LeaseHeld{std::chrono::ceil<milliseconds>(held->second.expires - now)}};
}

Result<bool> MemoryLeaseTable::renew(const Resource& resource,
                                     const LockOwner& owner,
                                     milliseconds ttl) {
  const auto answer = extend(resource, owner, ttl);
  return *answer == Renewal::extended;
}

Result<Renewal> MemoryLeaseTable::extend(const Resource& resource,
                                         const LockOwner& owner,
                                         milliseconds ttl) {
  const MutexLock lock(mutex_);
  const Instant now = clock_.now();
  const auto held = find_held(resource, now);
  if (held == entries_.end()) return Renewal::expired;
  if (held->second.owner != owner) return Renewal::taken;
  held->second.expires = now + ttl;
  return Renewal::extended;
}

Result<bool> MemoryLeaseTable::release(const Resource& resource, const LockOwner& owner) {
  const MutexLock lock(mutex_);
  const auto held = find_held(resource, clock_.now());
  if (held == entries_.end() || held->second.owner != owner) return false;
  entries_.erase(held);
  released(resource).notify_all();
  return true;
}

bool MemoryLeaseTable::raise_above(const Resource& /*resource*/, FenceToken newest) {
  if (newest.value() >= raised_token_max) return false;
  const MutexLock lock(mutex_);
  last_token_ = std::max(last_token_, newest.value());
  return true;
}

void MemoryLeaseTable::wait_for_release(const Resource& resource, milliseconds until_at_most) {
  MutexLock lock(mutex_);
  const Instant now = clock_.now();
  const auto held = find_held(resource, now);
  if (held == entries_.end()) return;
  const Instant until = std::min(now + until_at_most, held->second.expires);
  released(resource).wait_for(lock, clock_.wait_slice(until));
}

}  // namespace mizan::lock

namespace mizan {

std::unique_ptr<LeaseTable> make_memory_lease_table(const Clock& clock) {
  return std::make_unique<lock::MemoryLeaseTable>(clock);
}

}  // namespace mizan
