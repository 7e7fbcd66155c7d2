#pragma once

#include "cli/command.hpp"
#include "cli/table.hpp"

#include <string>
#include <vector>

namespace mizan::cli {

/// The way from the root to a command; never empty.
using Path = std::vector<const Command*>;

/// "mizan wallet create".
[[nodiscard]] std::string full_name(const Path& path);

/// "mizan wallet create ID --currency CUR [--min-balance AMOUNT|none]...".
[[nodiscard]] std::string usage_line(const Path& path);

/// Everything that --help prints.
[[nodiscard]] std::string help_text(const Path& path, const Style& style);

/// What an exit status means here: the command's own words, else the common table.
[[nodiscard]] std::vector<ExitMeaning> exit_meanings(const Command& command);

/// "--leg FROM TO AMOUNT", with the choices where there are few.
[[nodiscard]] std::string show_option(const Option& option);

}  // namespace mizan::cli
