#include "cli/duration.hpp"

#include "base/duration.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace mizan::cli {

Result<std::chrono::milliseconds> read_duration(std::string_view text) {
  if (const auto duration = parse_duration(text)) return *duration;
  return invalid_request("duration",
                         fmt::format("'{}' is no duration; write a number and ms, s, m, h or d, "
                                     "such as 500ms, 10s or 1h30m, up to 36600d",
                                     escape_for_log(text)));
}

}  // namespace mizan::cli
