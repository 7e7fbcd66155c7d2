#pragma once

#include "mizan/lock.hpp"
#include "mizan/result.hpp"

#include "cli/context.hpp"

#include <memory>
#include <string_view>

namespace mizan {

/// The lock service that a URL names.
[[nodiscard]] Result<std::unique_ptr<LockService>> open_lock(std::string_view url,
                                                             const cli::LockGround& ground);

}  // namespace mizan
