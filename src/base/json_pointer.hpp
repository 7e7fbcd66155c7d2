#pragma once

#include <string>
#include <string_view>

namespace mizan {

/// The JSON pointer (RFC 6901) to a member of what `parent` points to.
[[nodiscard]] std::string member_pointer(std::string_view parent, std::string_view key);

}  // namespace mizan
