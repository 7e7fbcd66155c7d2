#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mizan {

/// One code point of a text, or a byte that begins none (`valid` is false, `size` is 1).
struct CodePoint {
  char32_t value = 0;
  std::size_t size = 1;
  bool valid = false;
};

/// The code point at the beginning of a text that is not empty, by RFC 3629: no overlong forms,
/// no surrogates, nothing above U+10FFFF.
[[nodiscard]] CodePoint first_code_point(std::string_view text) noexcept;

[[nodiscard]] bool is_valid_utf8(std::string_view text) noexcept;

/// Appends the code point as UTF-8. Requires a code point that is no surrogate.
void append_utf8(std::string& out, char32_t code_point);

/// Appends `"text"` as a JSON string. The result is valid JSON and valid UTF-8 whatever the text
/// is: bytes that are no UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// A text from outside for a log line or a terminal: control characters, line separators,
/// direction overrides, backslashes, quotes and invalid bytes are written as escapes, so that it
/// can neither break the line nor pretend to be another one. Cut after `size_max` bytes of input,
/// with a trailing `…`.
[[nodiscard]] std::string escape_for_log(std::string_view text, std::size_t size_max = 256);

/// A whole number of decimal digits, without sign or leading zeros, within 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text) noexcept;

}  // namespace mizan
