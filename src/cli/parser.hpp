#pragma once

#include "mizan/result.hpp"

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "json/problem.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::cli {

/// Words that are no call of the command. The error says what is wrong and what to write instead.
struct UsageError {
  Error error;
  std::string_view field_code = json::field_code::invalid_value;
};

/// Parses the words that belong to one command (its name is not among them) by its options and
/// arguments and by the global options.
[[nodiscard]] Result<Arguments, UsageError> parse(const Command& command,
                                                  std::span<const Option> global,
                                                  std::vector<std::string> words);

}  // namespace mizan::cli
