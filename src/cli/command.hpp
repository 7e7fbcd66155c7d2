#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mizan::cli {

class Arguments;
class Context;

/// What a shell completes after an option or at an argument's place.
enum class Completes : std::uint8_t { nothing, files, commands };

/// `--name VALUE…`. Parsing, help, completion and the reference are made of these.
struct Option {
  std::string name = {};                 ///< With its dashes: "--currency".
  std::vector<std::string> values = {};  ///< What one use takes, e.g. {"FROM", "TO", "AMOUNT"}.
  std::string help = {};                 ///< One sentence; states units and limits.
  bool repeatable = false;
  bool required = false;
  std::vector<std::string> choices = {};  ///< Where only these are values.
  Completes completes = Completes::nothing;
};

struct Argument {
  std::string name = {};  ///< In capitals: "WALLET".
  std::string help = {};
  bool required = true;
  std::vector<std::string> choices = {};
  Completes completes = Completes::nothing;
};

struct Example {
  std::string line = {};  ///< What to type, without the prompt.
  std::string says = {};  ///< What it does.
};

struct ExitMeaning {
  int status = 0;
  std::string means = {};
};

/// A node of the command tree: a group (children) or a command (run).
struct Command {
  std::string name = {};
  std::string summary = {};      ///< One line, for lists.
  std::string description = {};  ///< Paragraphs for --help.
  std::vector<Argument> arguments = {};
  std::vector<Option> options = {};
  std::vector<Example> examples = {};
  std::vector<ExitMeaning> exits = {};  ///< What the statuses mean here; empty: the common table.
  std::vector<Command> children = {};
  std::function<int(const Arguments&, Context&)> run = {};

  /// What follows the arguments, after `--`, is another program's command line.
  bool takes_command_line = false;

  /// Parsed by somebody else: everything after the name is handed over as it stands.
  bool takes_everything = false;
};

/// The child of that name, or null.
[[nodiscard]] const Command* find_child(const Command& parent, const std::string& name);

}  // namespace mizan::cli
