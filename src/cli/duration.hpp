#pragma once

#include "mizan/result.hpp"

#include <chrono>
#include <string_view>

namespace mizan::cli {

/// A duration such as `10s` or `1h30m`; the error says what may be written, up to `most`, which the
/// caller demands where it is not what a duration may be at all.
[[nodiscard]] Result<std::chrono::milliseconds> read_duration(std::string_view text,
                                                              std::string_view most = "36600d");

}  // namespace mizan::cli
