#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"

#include "base/mutex.hpp"
#include "store/postgres/pool.hpp"

#include <condition_variable>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mizan::postgres {

/// The lease table in the database, on the database's clock: one for all processes. Each call is
/// one round trip and one transaction. Any thread may call.
class PostgresLeaseTable final : public LeaseTable {
 public:
  PostgresLeaseTable(Pool& pool, const Clock& clock) noexcept : pool_(pool), clock_(clock) {}

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
  Result<bool> release(const Resource& resource, const LockOwner& owner) override
      MIZAN_EXCLUDES(mutex_);
  Result<bool> renew_within(const Resource& resource,
                            const LockOwner& owner,
                            std::chrono::milliseconds ttl,
                            std::chrono::milliseconds limit) override;
  Result<bool> release_within(const Resource& resource,
                              const LockOwner& owner,
                              std::chrono::milliseconds limit) override MIZAN_EXCLUDES(mutex_);

  /// Wakes for what this process released; others are found by asking again.
  void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most) override
      MIZAN_EXCLUDES(mutex_);

 private:
  [[nodiscard]] Result<bool> change(std::string_view statement,
                                    const Parameters& parameters,
                                    std::chrono::milliseconds limit);

  Pool& pool_;
  const Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any released_;
  std::uint64_t releases_ MIZAN_GUARDED_BY(mutex_) = 0;
};

}  // namespace mizan::postgres
