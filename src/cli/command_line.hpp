#pragma once

#include "mizan/result.hpp"

#include "cli/command.hpp"
#include "cli/help.hpp"

#include <string>
#include <vector>

namespace mizan::cli {

/// Which command is meant, and the words that are left for its parser: the names of commands are
/// taken out, global options stay, wherever they stood.
struct Resolved {
  Path path;
  std::vector<std::string> words;
  bool help = false;

  /// For a command that takes everything: what followed its name.
  std::vector<std::string> rest;
};

/// Walks down the command tree. Errors suggest the nearest name.
[[nodiscard]] Result<Resolved> resolve(const Command& root, const std::vector<std::string>& words);

/// Was --json given before any `--`? Asked before parsing, so that errors of parsing obey it.
[[nodiscard]] bool wants_json(const std::vector<std::string>& words);

}  // namespace mizan::cli
