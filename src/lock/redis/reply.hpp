#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::redis {

/// What a server answers. Immutable after it was read.
struct Reply {
  enum class Kind : std::uint8_t { nil, text, integer, array, error };

  Kind kind = Kind::nil;
  std::int64_t integer = 0;
  std::string text;  ///< Of a status, a string or an error.
  std::vector<Reply> items;

  [[nodiscard]] bool is_error() const noexcept { return kind == Kind::error; }

  /// The first word of an error: "NOSCRIPT".
  [[nodiscard]] std::string_view error_code() const noexcept {
    return std::string_view(text).substr(0, text.find(' '));
  }
};

}  // namespace mizan::redis
