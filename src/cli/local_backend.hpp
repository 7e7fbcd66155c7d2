#pragma once

#include "mizan/result.hpp"

#include "cli/backend.hpp"
#include "cli/context.hpp"

#include <memory>

namespace mizan::cli {

/// The ledger over the store of the settings, in this process. With Access::read only `read` may be
/// called.
[[nodiscard]] Result<std::unique_ptr<Backend>> open_local_backend(const Context& context,
                                                                  Access access);

}  // namespace mizan::cli
