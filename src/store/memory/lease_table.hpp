#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"

#include <map>
#include <mutex>

namespace mizan::memory {

/// Leases for the `store:` lock over a memory store. Any thread may call it.
class MemoryLeaseTable final : public LeaseTable {
 public:
  explicit MemoryLeaseTable(const Clock& clock) noexcept : clock_(clock) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override;
  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override;
  Result<bool> release(const Resource& resource, const LockOwner& owner) override;

 private:
  /// Kept for ever once made, so that the tokens of a resource never start again.
  struct Row {
    LockOwner owner;
    FenceToken token;
    Instant expires_at;
  };

  [[nodiscard]] bool is_held(const Row& row) const;

  const Clock& clock_;
  std::mutex mutex_;
  std::map<Resource, Row> rows_;
};

}  // namespace mizan::memory
