#pragma once

#include "mizan/lock.hpp"

#include "lock/core/lease_machine.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace mizan::lock {

class LeaseKeeper;

/// One acquired lease, shared by its holder and the keeper's threads. The second half belongs to
/// the keeper and is touched under its mutex only.
struct HeldLease {
  HeldLease(AcquireRequest& request, FenceToken granted_token, const LeaseMachine& granted)
      : resource(request.resource),
        owner(request.owner),
        token(granted_token),
        ttl(request.ttl),
        on_suspect(std::move(request.on_suspect)),
        on_lost(std::move(request.on_lost)),
        machine(granted) {}

  const Resource resource;
  const LockOwner owner;
  const FenceToken token;
  const std::chrono::milliseconds ttl;
  const std::function<void()> on_suspect;
  const std::function<void(LeaseLoss)> on_lost;
  std::stop_source lost;

  LeaseMachine machine;
  std::optional<Instant> wake_at;       // Where it stands in the keeper's schedule.
  std::size_t notices_undelivered = 0;  // Waiting, or being delivered right now.
  bool release_unanswered = false;
};

}  // namespace mizan::lock

namespace mizan {

/// What a Lease owns. The keeper lives on while leases do, also after its service is gone.
class Lease::Impl {
 public:
  std::shared_ptr<lock::LeaseKeeper> keeper;
  std::shared_ptr<lock::HeldLease> held;
};

}  // namespace mizan
