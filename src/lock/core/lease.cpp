#include "mizan/lock.hpp"

#include "lock/core/held_lease.hpp"
#include "lock/core/lease_keeper.hpp"

#include <utility>

namespace mizan {

Lease::Lease(std::shared_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Lease::Lease(Lease&&) noexcept = default;

Lease& Lease::operator=(Lease&& other) noexcept {
  if (this != &other) {
    release();
    impl_ = std::move(other.impl_);
  }
  return *this;
}

Lease::~Lease() {
  release();
}

const Resource& Lease::resource() const noexcept {
  return impl_->held->resource;
}

FenceToken Lease::token() const noexcept {
  return impl_->held->token;
}

const LockOwner& Lease::owner() const noexcept {
  return impl_->held->owner;
}

Fence Lease::fence() const {
  return {.resource = resource(), .token = token(), .owner = owner()};
}

LeaseState Lease::state() const noexcept {
  return impl_->keeper->state(*impl_->held);
}

std::optional<LeaseLoss> Lease::loss() const noexcept {
  return impl_->keeper->loss(*impl_->held);
}

std::chrono::milliseconds Lease::remaining() const noexcept {
  return impl_->keeper->remaining(*impl_->held);
}

std::stop_token Lease::lost() const noexcept {
  return impl_->held->lost.get_token();
}

void Lease::report_fence_rejected() noexcept {
  impl_->keeper->reject_fence(impl_->held);
}

Release Lease::release() noexcept {
  if (!impl_) return Release::not_held;
  return impl_->keeper->release(impl_->held);
}

void Lease::hand_over() noexcept {
  if (impl_) impl_->keeper->hand_over(impl_->held);
}

}  // namespace mizan
