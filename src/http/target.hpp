#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::http {

/// The path of a target, without its query.
[[nodiscard]] std::string_view path_of(std::string_view target) noexcept;

using QueryItem = std::pair<std::string, std::string>;

/// The query's items in their order, decoded; nothing where an escape is none. A `+` stands for
/// itself: times have it, and nothing here has a space.
[[nodiscard]] std::optional<std::vector<QueryItem>> query_of(std::string_view target);

}  // namespace mizan::http
