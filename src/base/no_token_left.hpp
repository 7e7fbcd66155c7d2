#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include <limits>

namespace mizan {

/// Nothing is newer: whoever brings it is the last holder of its resource.
inline constexpr FenceToken greatest_token{std::numeric_limits<std::int64_t>::max()};

/// Nobody holds the lease, but a fence has seen the greatest token there is.
[[nodiscard]] Error no_token_left(const Resource& resource);

}  // namespace mizan
