#pragma once

#include "cli/context.hpp"

namespace mizan::serve {

/// Serves the ledger of the settings until a signal ends it; answers the exit status.
int run_serve(cli::Context& context);

}  // namespace mizan::serve
