#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mizan {

/// Reads `500ms`, `10s`, `15m`, `2h`, `7d` or a sum in falling units such as `1h30m`: greater
/// than zero, up to 36,600 days. Nothing for any other text.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(
    std::string_view text) noexcept;

/// The reverse, the largest units first, e.g. `1h30m`; `0ms` for zero. Requires >= 0.
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);

}  // namespace mizan
