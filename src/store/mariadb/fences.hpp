#pragma once

#include "mizan/operation.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/mariadb/session.hpp"

#include <optional>

namespace mizan::mariadb {

[[nodiscard]] Result<std::optional<FenceMark>> find_fence(Session& session,
                                                          const Resource& resource);

/// The check and the remembering, as one statement: an update of what is remembered, or the first
/// insert.
[[nodiscard]] Result<FenceAdvance> advance_fence(Session& session, const Fence& fence);

}  // namespace mizan::mariadb
