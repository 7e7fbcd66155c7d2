#pragma once

#include "mizan/clock.hpp"

#include "base/random.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mizan::webhook {

/// When a failed delivery is tried again. By default after 5 s, 15 s, 45 s … up to 4 h: thirteen
/// times in about a day.
struct RetryOptions {
  std::chrono::milliseconds first{std::chrono::seconds{5}};
  std::chrono::milliseconds longest{std::chrono::hours{4}};
  std::uint32_t factor = 3;
  std::uint32_t attempts_max = 14;  ///< The first one included; then it is given up.
};

/// The wait after this many attempts (1 or more), up to a fifth shorter or longer.
[[nodiscard]] std::chrono::milliseconds retry_wait(const RetryOptions& options,
                                                   std::uint32_t attempts,
                                                   Random& random);

/// What `Retry-After` asks for: seconds, or a date (RFC 9110, 10.2.3), up to a day. Nothing for any
/// other text.
[[nodiscard]] std::optional<std::chrono::milliseconds> read_retry_after(std::string_view text,
                                                                        Timestamp now);

}  // namespace mizan::webhook
