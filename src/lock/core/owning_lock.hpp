#pragma once

#include "mizan/lock.hpp"

#include "base/raisable_tokens.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::lock {

/// A lock service together with the table that it stands on, made from the clock.
template <class Table, bool Excludes = true>
class OwningLock final : public LockService, public RaisableTokens {
 public:
  /// `clock` must outlive it.
  OwningLock(std::string name, const Clock& clock)
      : table_(clock), service_(make_lock_service(std::move(name), table_, clock)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return service_->name(); }

  [[nodiscard]] bool excludes() const noexcept override { return Excludes; }

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

  Result<bool> renew_within(const Resource& resource,
                            const LockOwner& owner,
                            std::chrono::milliseconds ttl,
                            std::chrono::milliseconds limit) override {
    return service_->renew_within(resource, owner, ttl, limit);
  }

  Result<bool> release_within(const Resource& resource,
                              const LockOwner& owner,
                              std::chrono::milliseconds limit) override {
    return service_->release_within(resource, owner, limit);
  }

  bool raise_above(const Resource& resource, FenceToken newest) override {
    if constexpr (requires { table_.raise_above(resource, newest); }) {
      return table_.raise_above(resource, newest);
    } else {
      return false;
    }
  }

 private:
  Table table_;
  std::unique_ptr<LockService> service_;  // Destroyed first.
};

}  // namespace mizan::lock
