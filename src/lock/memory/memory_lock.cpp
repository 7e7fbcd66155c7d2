#include "mizan/lock.hpp"

#include "lock/memory/memory_lease_table.hpp"

#include <memory>
#include <utility>

namespace mizan {

namespace {

class MemoryLock final : public LockService {
 public:
  explicit MemoryLock(const Clock& clock)
      : table_(clock), service_(make_lock_service("memory", table_, clock)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return service_->name(); }

  Result<AcquireOutcome> acquire(AcquireRequest request) override {
    return service_->acquire(std::move(request));
  }

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    return service_->renew(resource, owner, ttl);
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return service_->release(resource, owner);
  }

 private:
  lock::MemoryLeaseTable table_;
  std::unique_ptr<LockService> service_;  // Destroyed first.
};

}  // namespace

std::unique_ptr<LockService> make_memory_lock(const Clock& clock) {
  return std::make_unique<MemoryLock>(clock);
}

}  // namespace mizan
