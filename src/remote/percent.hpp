#pragma once

#include <string>
#include <string_view>

namespace mizan::remote {

/// A segment of a path or a value of a query: everything but `A-Za-z0-9-._~` is escaped.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace mizan::remote
