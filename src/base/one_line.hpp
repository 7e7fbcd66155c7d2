#pragma once

#include <string>
#include <string_view>

namespace mizan {

/// What somebody else's program said, for people: one line, its quotes as they are, without what is
/// blank at both ends. Other characters that no terminal or log line may get are escaped. What is
/// beyond 512 bytes is cut off.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace mizan
