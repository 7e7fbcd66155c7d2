#pragma once

#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace mizan::sql {

/// The text form in which stores keep a final refusal: one JSON object without white space; facts
/// that do not apply are left out; numbers are strings.
[[nodiscard]] std::string encode_refusal(const Refusal& refusal);

/// Reads what `encode_refusal` wrote; anything else is an internal error.
[[nodiscard]] Result<std::shared_ptr<const Refusal>> decode_refusal(std::string_view text);

}  // namespace mizan::sql
