#pragma once

#include <string>
#include <string_view>

namespace mizan::cli {

/// A to Z as a to z, whatever the locale; everything else as it is.
[[nodiscard]] std::string lower(std::string_view text);

}  // namespace mizan::cli
