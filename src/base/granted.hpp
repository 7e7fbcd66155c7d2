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

}  // namespace mizan
