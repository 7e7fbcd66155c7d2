#pragma once

#include "mizan/result.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace mizan::cli {

/// Reads `500ms`, `10s`, `15m`, `2h`, `7d` or a sum in falling units such as `1h30m`. Greater
/// than zero, up to 100 years.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The reverse: the largest units first, e.g. `1h30m`.
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);

}  // namespace mizan::cli
