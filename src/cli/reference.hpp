#pragma once

#include "cli/command.hpp"

#include <string>

namespace mizan::cli {

/// docs/reference/cli.md, made of the command tree.
[[nodiscard]] std::string cli_reference(const Command& root);

/// docs/reference/config.md, made of the table of settings.
[[nodiscard]] std::string config_reference();

}  // namespace mizan::cli
