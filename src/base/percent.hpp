#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mizan {

/// The text with its percent escapes (RFC 3986, 2.1) resolved; nothing where an escape is none.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace mizan
