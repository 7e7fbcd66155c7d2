#pragma once

#include "mizan/operation.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/postgres/session.hpp"

#include <optional>

namespace mizan::postgres {

[[nodiscard]] Result<std::optional<FenceMark>> find_fence(Session& session,
                                                          const Resource& resource);

/// The check and the remembering, as one statement.
[[nodiscard]] Result<FenceAdvance> advance_fence(Session& session, const Fence& fence);

}  // namespace mizan::postgres
