#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mizan {

/// RFC 4648's alphabet for URLs and file names, without padding.
[[nodiscard]] std::string to_base64url(std::string_view bytes);

/// The bytes, or nothing for a text that `to_base64url` would not have made.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace mizan
