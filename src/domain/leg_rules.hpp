#pragma once

#include "domain/decide.hpp"

#include <optional>

// What step 4 of the decision demands of wallets and legs. Nothing here changes a state.

namespace mizan::domain {

/// Is every wallet there that a leg or a condition names?
[[nodiscard]] std::optional<Refusal> check_existence(const DecisionInput& input);

/// What every kind of operation with legs demands of them, in order of precedence, up to where
/// the kinds differ.
[[nodiscard]] std::optional<Refusal> check_legs(const DecisionInput& input);

/// A hold's `to` receives nothing yet: it must exist in the right currency and not be closed.
[[nodiscard]] std::optional<Refusal> check_hold_legs(const DecisionInput& input);

/// Every condition that does not hold, in one refusal. The wallets must be there.
[[nodiscard]] std::optional<Refusal> check_conditions(const DecisionInput& input);

}  // namespace mizan::domain
