#include "base/granted.hpp"

#include "base/duration.hpp"
#include "base/match.hpp"

#include <utility>
#include <variant>

namespace mizan {

Error lock_busy(const Resource& resource, std::optional<std::chrono::milliseconds> remaining) {
  std::string detail = resource.str() + " is held by somebody else";
  if (remaining) detail += ", for " + format_duration(*remaining) + " more unless renewed";
  return {Code::lock_busy, Certainty::not_applied, Retry::after_backoff, "lock", std::move(detail)};
}

Result<Lease> granted(AcquireOutcome outcome, const Resource& resource) {
  using Answer = Result<Lease>;
  return std::visit(
      Match{[](Lease&& lease) { return Answer(std::move(lease)); },
            [&](LockBusy&& held) { return Answer(lock_busy(resource, held.remaining)); },
            [&](LockWaitTimedOut&& held) { return Answer(lock_busy(resource, held.remaining)); },
            [&](LockWaitCancelled&&) {
              return Answer(unavailable("lock", "the waiting for the lock was interrupted"));
            }},
      std::move(outcome));
}

Error not_begun(Error without_lease) {
  if (without_lease.certainty != Certainty::unknown) return without_lease;
  return unavailable(std::move(without_lease.where),
                     "the lock service did not say whether it granted the lock, so nothing was "
                     "begun: " +
                         without_lease.detail);
}

}  // namespace mizan
