#pragma once

#include "mizan/result.hpp"

#include <span>
#include <string_view>

namespace mizan {

/// The schemes of URLs of a kind: what this build can open, for people, and what Mizan knows.
struct Schemes {
  std::string_view what;  ///< "store" or "lock".
  std::string_view built_in;
  std::span<const std::string_view> planned;
};

/// A URL that this build cannot open: one that Mizan knows, or a slip of the pen.
[[nodiscard]] Error not_built_in(const Schemes& schemes, std::string_view url);

}  // namespace mizan
