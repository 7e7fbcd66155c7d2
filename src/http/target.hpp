#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::http {

/// The path of a target, without its query.
[[nodiscard]] std::string_view path_of(std::string_view target) noexcept;

/// The host and port that a target names which begins with a scheme, as one sent to a proxy does;
/// nothing where it names none.
[[nodiscard]] std::optional<std::string_view> authority_of(std::string_view target) noexcept;

/// For logs: a key that somebody wrote into a target is not repeated.
[[nodiscard]] std::string without_keys(std::string_view target);

using QueryItem = std::pair<std::string, std::string>;

/// The query's items in their order, decoded; nothing where an escape is none. A `+` stands for
/// itself: times have it, and nothing here has a space.
[[nodiscard]] std::optional<std::vector<QueryItem>> query_of(std::string_view target);

}  // namespace mizan::http
