#pragma once

#include "mizan/store.hpp"

#include <optional>

namespace mizan::memory {

/// The state after the delta, or nothing where it refuses itself.
[[nodiscard]] std::optional<WalletState> state_after(const WalletState& before,
                                                     const GuardedDelta& delta);

}  // namespace mizan::memory
