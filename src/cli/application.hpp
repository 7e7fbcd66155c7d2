#pragma once

#include "cli/command.hpp"
#include "cli/context.hpp"
#include "cli/output.hpp"

#include <string>
#include <vector>

namespace mizan::cli {

/// The whole command tree, the wired subcommands included.
[[nodiscard]] Command make_root(const Wiring& wiring);

/// Runs one command line (without the program's name); answers its exit status.
[[nodiscard]] int run(const std::vector<std::string>& words,
                      const Wiring& wiring,
                      const Streams& streams);

}  // namespace mizan::cli
