#pragma once

#include "mizan/outcome.hpp"

#include <string>

namespace mizan::golden {

/// Everything in a receipt that is the same at every repeat, as one text. Left out is what a
/// receipt shows as of the reading: how a hold stands, and who reversed the operation.
[[nodiscard]] std::string text_of(const Receipt& receipt);

}  // namespace mizan::golden
