#pragma once

#include "mizan/operation.hpp"

namespace mizan::domain {

/// The fingerprint of an operation's content: type, legs, amounts, hold terms and metadata, never
/// the id, conditions, fences, deadline or strategy. Equal content gives equal fingerprints on
/// every machine and in every version (the encoding begins with its own version number).
[[nodiscard]] Fingerprint fingerprint_of(const Operation& operation);

}  // namespace mizan::domain
