#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "base/mutex.hpp"

#include <functional>
#include <memory>

namespace mizan::cli {

/// The lease table of a store that is opened for each exchange and closed again. A store file has
/// one owner at a time: a `mizan lock run` that kept it open would lock out the very command that
/// it runs. Any thread may call it.
class LeaseTablePerCall final : public LeaseTable {
 public:
  using Open = std::function<Result<std::unique_ptr<Store>>()>;

  /// `clock` must outlive it.
  LeaseTablePerCall(Open open, const Clock& clock);

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

 private:
  Open open_;
  const Clock& clock_;
  Mutex mutex_;  // One exchange at a time: two would be two owners of the file.
};

}  // namespace mizan::cli
