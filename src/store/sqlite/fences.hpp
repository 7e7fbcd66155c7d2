#pragma once

#include "mizan/operation.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <optional>

namespace mizan::sqlite {

class Connection;

[[nodiscard]] Result<std::optional<FenceMark>> find_fence(Connection& connection,
                                                          const Resource& resource);

/// Remembers the token where it may pass, in one statement.
[[nodiscard]] Result<FenceAdvance> advance_fence(Connection& connection, const Fence& fence);

}  // namespace mizan::sqlite
