#pragma once

#include "mizan/lease_table.hpp"

#include "base/mutex.hpp"
#include "store/sqlite/writer.hpp"

#include <condition_variable>
#include <cstdint>

namespace mizan::sqlite {

/// Leases in the ledger's own file. Each step is a durable transaction. Expiry is by the wall
/// clock, because a lease outlives the process and the machine's other clocks do not: a clock that
/// is set back makes leases longer, one that is set forward ends them early, and the fence then
/// keeps the early loser out. Any thread may call.
class SqliteLeaseTable final : public LeaseTable {
 public:
  SqliteLeaseTable(Writer* writer, const Clock& clock) noexcept : writer_(writer), clock_(clock) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override;
  Result<LeaseAttempt> acquire_within(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds ttl,
                                      std::chrono::milliseconds limit) override;
  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override;
  Result<bool> release(const Resource& resource, const LockOwner& owner) override;
  void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most) override
      MIZAN_EXCLUDES(mutex_);

 private:
  [[nodiscard]] Result<WriteScope> begin(std::chrono::milliseconds limit);
  [[nodiscard]] Result<bool> change(std::string_view sql,
                                    const Resource& resource,
                                    const LockOwner& owner,
                                    std::optional<std::chrono::milliseconds> ttl);

  Writer* writer_;  // Null for a reader beside an owner.
  const Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any released_;
  std::uint64_t releases_ MIZAN_GUARDED_BY(mutex_) = 0;
};

}  // namespace mizan::sqlite
