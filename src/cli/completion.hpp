#pragma once

#include "cli/command.hpp"

#include <string>

namespace mizan::cli {

// Scripts that complete commands, options, the values of options with choices, and files; made of
// the command tree, so that they cannot be out of date. They run nothing and open no store.

[[nodiscard]] std::string bash_completion(const Command& root);
[[nodiscard]] std::string zsh_completion(const Command& root);
[[nodiscard]] std::string fish_completion(const Command& root);

}  // namespace mizan::cli
