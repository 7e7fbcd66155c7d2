#include "cli/duration.hpp"

#include "base/duration.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace mizan::cli {

Result<std::chrono::milliseconds> read_duration(std::string_view text, std::string_view most) {
  if (const auto duration = parse_duration(text)) return *duration;
  return invalid_request("duration",
                         fmt::format("'{}' is no duration; write a number and ms, s, m, h or d, "
                                     "such as 500ms, 10s or 1h30m, up to {}",
                                     escape_for_log(text),
                                     most));
}

}  // namespace mizan::cli
