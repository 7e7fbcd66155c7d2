#pragma once

#include "cli/command.hpp"

#include <string>

namespace mizan::cli {

/// mizan(1) in the language of man(7), made of the command tree.
[[nodiscard]] std::string program_manual(const Command& root);

/// mizan.conf(5), made of the table of settings.
[[nodiscard]] std::string settings_manual();

}  // namespace mizan::cli
