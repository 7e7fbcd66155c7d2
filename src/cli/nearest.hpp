#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mizan::cli {

/// The number of insertions, deletions, replacements and swaps of neighbours between two words.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that a mistyped word was probably meant to be: at most a third of its letters
/// (and at least one) differ. The first of equally near ones.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

}  // namespace mizan::cli
