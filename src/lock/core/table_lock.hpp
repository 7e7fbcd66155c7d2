#pragma once

#include "mizan/lock.hpp"

#include "lock/core/lease_keeper.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace mizan::lock {

/// A lock service over a lease table.
class TableLock final : public LockService {
 public:
  /// Both must outlive it.
  TableLock(std::string name, LeaseTable& table, const Clock& clock);
  ~TableLock() override;

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }

  Result<AcquireOutcome> acquire(AcquireRequest request) override;
  Result<bool> renew(const Resource& resource,
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

 private:
  /// An absent outcome: go on waiting.
  using Verdict = std::optional<Result<AcquireOutcome>>;

  struct Attempt {
    Instant sent;
    std::optional<LeaseHeld> heard;  ///< What the attempt before it was told.
    std::optional<Error> doubt;      ///< Of an attempt since the last answer: it may hold the lock.
  };

  Result<AcquireOutcome> wait_and_acquire(AcquireRequest& request, bool& may_hold);
  Verdict judge(AcquireRequest& request,
                const Result<LeaseAttempt>& answer,
                const Attempt& attempt);
  Result<AcquireOutcome> adopt(AcquireRequest& request, const LeaseGranted& granted, Instant sent);
  void wait(const AcquireRequest& request,
            const Result<LeaseAttempt>& answer,
            std::chrono::milliseconds poll);

  const std::string name_;
  LeaseTable& table_;
  const Clock& clock_;
  // Shared, because a lease may outlive its service and then has to learn that it is lost.
  const std::shared_ptr<LeaseKeeper> keeper_;
  std::jthread renewing_;
  std::jthread watching_;
};

}  // namespace mizan::lock
