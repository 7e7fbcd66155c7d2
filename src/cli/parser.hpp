#pragma once

#include "mizan/result.hpp"

#include "cli/arguments.hpp"
#include "cli/command.hpp"

#include <span>
#include <string>
#include <vector>

namespace mizan::cli {

/// Parses the words that belong to one command (its name is not among them) by its options and
/// arguments and by the global options. Errors say what is wrong and what to write instead.
[[nodiscard]] Result<Arguments> parse(const Command& command,
                                      std::span<const Option> global,
                                      std::vector<std::string> words);

}  // namespace mizan::cli
