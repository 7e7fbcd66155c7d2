#pragma once

#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/redis.hpp"

#include "base/mutex.hpp"
#include "lock/redis/epochs.hpp"
#include "lock/redis/places.hpp"
#include "lock/redis/release_listener.hpp"
#include "lock/redis/servers.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace mizan::redis {

/// Leases in Redis; decision 0017 says why its tokens never go back. Any thread may call it.
class RedisLeaseTable final : public LeaseTable {
 public:
  /// Both must outlive it.
  RedisLeaseTable(std::string prefix, Servers& servers, EpochTable& epochs)
      : prefix_(std::move(prefix)),
        servers_(servers),
        epochs_(epochs),
        listener_(servers_, prefix_) {}

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
  Result<Renewal> extend(const Resource& resource,
                         const LockOwner& owner,
                         std::chrono::milliseconds ttl) override;
  Result<bool> release(const Resource& resource, const LockOwner& owner) override;
  Result<bool> renew_within(const Resource& resource,
                            const LockOwner& owner,
                            std::chrono::milliseconds ttl,
                            std::chrono::milliseconds limit) override;
  Result<bool> release_within(const Resource& resource,
                              const LockOwner& owner,
                              std::chrono::milliseconds limit) override;
  void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most) override;

  /// See RaisableTokens: the bucket's counter is one that lags behind, and the next acquisition
  /// draws an epoch.
  bool raise_above(const Resource& resource, FenceToken newest);

 private:
  /// Nothing may be granted before an epoch above these was installed.
  struct EpochNeeded {
    std::int64_t above = 0;
    std::string marker;
  };

  struct Wanted {
    const Place& place;
    const LockOwner& owner;
    std::chrono::milliseconds ttl;
    Deadline deadline;
  };

  using Answer = std::variant<LeaseAttempt, EpochNeeded>;

  [[nodiscard]] Result<Renewal> extend_until(const Resource& resource,
                                             const LockOwner& owner,
                                             std::chrono::milliseconds ttl,
                                             Deadline deadline);
  [[nodiscard]] Result<bool> release_until(const Resource& resource,
                                           const LockOwner& owner,
                                           Deadline deadline);
  [[nodiscard]] Result<Answer> ask_for_lease(const Wanted& wanted);
  [[nodiscard]] Result<Answer> read_answer(const Reply& reply, const Place& place);
  [[nodiscard]] Status heal(const Wanted& wanted);
  [[nodiscard]] Status install(const Wanted& wanted, const EpochNeeded& needed);

  const std::string prefix_;
  Servers& servers_;
  EpochTable& epochs_;
  SeenMarks seen_;
  std::array<Mutex, bucket_count> healing_;
  ReleaseListener listener_;
};

}  // namespace mizan::redis
