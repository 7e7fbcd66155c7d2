#pragma once

#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"

namespace mizan::domain {

/// The fingerprint of an operation's content: type, legs, amounts, hold terms and metadata, never
/// the id, conditions, fences, deadline or strategy, nor a currency that is stated as a check.
/// Equal content gives equal fingerprints on every machine and in every version (the encoding
/// begins with its own version number).
[[nodiscard]] Fingerprint fingerprint_of(const Operation& operation);

/// Does a repeat state a currency that is not the one in which the operation was applied? Then it
/// asks for other money, whatever the numbers say.
[[nodiscard]] bool states_other_currency(const OperationBody& body, const Receipt& receipt);

}  // namespace mizan::domain
