#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"

#include "base/mutex.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace mizan::lock {

/// Leases in this process's memory. Any thread may call it.
///
/// One counter serves all resources: tokens grow strictly for each of them, across expiry and
/// release, with nothing to remember per resource. It counts on from the wall clock (µs since
/// 1970), so that a new table over an old database does not begin below the fences stored there.
class MemoryLeaseTable final : public LeaseTable {
 public:
  /// `clock` must outlive it.
  explicit MemoryLeaseTable(const Clock& clock);

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override;
  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override;
  Result<Renewal> extend(const Resource& resource,
                         const LockOwner& owner,
                         std::chrono::milliseconds ttl) override;
  Result<bool> release(const Resource& resource, const LockOwner& owner) override;

  /// See RaisableTokens.
  bool raise_above(const Resource& resource, FenceToken newest);

  /// Returns at once when nobody holds the resource, so that no release is missed between a
  /// refused attempt and the wait. With a clock that stands still it returns every so often.
  void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most) override;

 private:
  struct Entry {
    LockOwner owner;
    FenceToken token;
    Instant expires;
  };

  using Entries = std::unordered_map<Resource, Entry>;

  [[nodiscard]] Entries::iterator find_held(const Resource& resource, Instant now)
      MIZAN_REQUIRES(mutex_);
  void forget_expired(Instant now) MIZAN_REQUIRES(mutex_);
  [[nodiscard]] std::condition_variable_any& released(const Resource& resource) noexcept;

  const Clock& clock_;
  Mutex mutex_;
  // Waiters share a condition per bucket of resources; a wake-up for another one costs a look.
  std::array<std::condition_variable_any, 64> released_;
  Entries entries_ MIZAN_GUARDED_BY(mutex_);
  std::size_t sweep_at_ MIZAN_GUARDED_BY(mutex_) = 1'024;
  std::int64_t last_token_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::lock
