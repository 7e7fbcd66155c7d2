#pragma once

#include "cli/context.hpp"

namespace mizan {

/// The program as it is built: which stores, locks and subcommands there are.
[[nodiscard]] cli::Wiring make_wiring();

}  // namespace mizan
