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
  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override;
  Result<bool> release(const Resource& resource, const LockOwner& owner) override;
  void wait_for_release(const Resource& resource, std::chrono::milliseconds until_at_most) override;

 private:
  /// Nothing may be granted before an epoch above these was installed.
  struct EpochNeeded {
    std::int64_t above = 0;
    std::string marker;
  };

  struct Bucket {
    Mutex healing;
    std::uint64_t healed MIZAN_GUARDED_BY(healing) = 0;
  };

  struct Wanted {
    const Place& place;
    const LockOwner& owner;
    std::chrono::milliseconds ttl;
  };

  using Answer = std::variant<LeaseAttempt, EpochNeeded>;

  [[nodiscard]] Result<Answer> ask_for_lease(const Wanted& wanted);
  [[nodiscard]] Result<Answer> read_answer(const Reply& reply, const Place& place);
  [[nodiscard]] Status heal(const Wanted& wanted);
  [[nodiscard]] Status install(const Place& place, const EpochNeeded& needed);

  const std::string prefix_;
  Servers& servers_;
  EpochTable& epochs_;
  SeenMarks seen_;
  std::array<Bucket, bucket_count> buckets_;
  ReleaseListener listener_;
};

}  // namespace mizan::redis
