#pragma once

#include "mizan/lock.hpp"
#include "mizan/result.hpp"

#include <chrono>
#include <optional>

namespace mizan {

/// The lock is somebody else's, for as long as is known.
[[nodiscard]] Error lock_busy(const Resource& resource,
                              std::optional<std::chrono::milliseconds> remaining);

/// The lease, or why there is none.
[[nodiscard]] Result<Lease> granted(AcquireOutcome outcome, const Resource& resource);

/// Why there is no lease, told to whoever wanted it for work that was not begun: that the lock was
/// perhaps granted leaves nothing of the work in doubt.
[[nodiscard]] Error not_begun(Error without_lease);

}  // namespace mizan
