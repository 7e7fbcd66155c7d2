#pragma once

#include "mizan/result.hpp"

#include <chrono>
#include <string_view>

namespace mizan::cli {

/// A duration such as `10s` or `1h30m`; the error says what may be written.
[[nodiscard]] Result<std::chrono::milliseconds> read_duration(std::string_view text);

}  // namespace mizan::cli
