#include "cli/reference.hpp"

#include "cli/help.hpp"
#include "cli/secret_variables.hpp"
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace mizan::cli {
namespace {

/// Text inside a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void add_details(std::string& out, const Command& command) {
  for (const Argument& argument : command.arguments) {
    out += fmt::format("- `{}`: {}.\n", argument.name, argument.help);
  }
  for (const Option& option : command.options) {
    out += fmt::format("- `{}`: {}{}.\n",
                       show_option(option),
                       option.help,
                       option.repeatable ? "; may be repeated" : "");
  }
  if (!command.arguments.empty() || !command.options.empty()) out += "\n";
  if (!command.examples.empty()) {
    out += "```\n";
    for (const Example& example : command.examples) {
      out += fmt::format("{}\n    # {}\n", example.line, example.says);
    }
    out += "```\n\n";
  }
  if (!command.exits.empty()) {
    out += "| Exit | Means |\n| --- | --- |\n";
    for (const ExitMeaning& exit : command.exits) {
      out += fmt::format("| {} | {} |\n", exit.status, cell(exit.means));
    }
    out += "\n";
  }
}

void add_command(std::string& out, Path& path) {
  const Command& command = *path.back();
  if (path.size() > 1 && !command.takes_everything) {
    out += fmt::format(
        "{} {}\n\n{}.\n\n", path.size() == 2 ? "##" : "###", full_name(path), command.summary);
    if (!command.description.empty()) out += fmt::format("{}\n\n", command.description);
    if (command.children.empty()) {
      out += fmt::format("```\n{}\n```\n\n", usage_line(path));
      add_details(out, command);
    }
  }
  for (const Command& child : command.children) {
    path.push_back(&child);
    add_command(out, path);
    path.pop_back();
  }
}

}  // namespace

std::string cli_reference(const Command& root) {
  std::string out =
      "# The command line\n\n"
      "Made of the command tree in `src/cli/commands/`; `mizan COMMAND --help` shows the same. A "
      "test fails when this file is out of date and says how to write it anew.\n\n"
      "Every command takes the options of [the settings](config.md) and `--json`: one JSON object "
      "a line, refusals and errors included, with amounts as strings of minor units. Without it "
      "answers are text for people, with colours on a terminal where `NO_COLOR` is not set, and "
      "refusals go to stderr.\n\n"
      "`mizan demo`, `mizan prove` and `mizan bench` explain themselves with `--help`.\n\n"
      "Amounts are decimal by the wallet's currency: `12.34` for EUR, `12` for JPY. A currency "
      "may follow (`12.34 EUR`, one argument or two) and is then checked against the wallet. "
      "Times are RFC 3339 or a date (midnight UTC). Durations are `500ms`, `10s`, `15m`, `2h`, "
      "`7d` or a sum such as `1h30m`.\n\n"
      "| Exit | Means |\n| --- | --- |\n";
  for (const ExitMeaning& exit : exit_meanings(Command{})) {
    out += fmt::format("| {} | {} |\n", exit.status, cell(exit.means));
  }
  out += "\n";
  Path path{&root};
  add_command(out, path);
  out.pop_back();  // One line feed at the end.
  return out;
}

std::string config_reference() {
  std::string out =
      "# Settings\n\n"
      "Made of the table in `src/cli/settings.cpp`; a test fails when this file is out of date.\n\n"
      "An option goes before an environment variable, that before the configuration file, that "
      "before the default. `mizan config show` tells each value and where it comes from.\n\n"
      "The file is `--config FILE`, `MIZAN_CONFIG`, or the first that exists of "
      "`$XDG_CONFIG_HOME/mizan/mizan.conf` (`~/.config/mizan/mizan.conf`) and "
      "`/etc/mizan/mizan.conf`. It holds lines of `key = value`; `#` begins a comment. An unknown "
      "key is an error that names the line.\n\n"
      "```\n# /etc/mizan/mizan.conf\nstore = sqlite:/var/lib/shop/ledger.db\ndeadline = "
      "5s\n```\n\n"
      "| Key | Option | Variable | Default | Meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const SettingKind& kind : setting_kinds()) {
    std::string meaning = kind.help;
    if (!kind.choices.empty()) {
      meaning += fmt::format(" (`{}`)", fmt::join(kind.choices, "`, `"));
    }
    const std::string fallback = kind.fallback.empty() ? "" : fmt::format("`{}`", kind.fallback);
    out += fmt::format("| `{}` | `{} {}` | `{}` | {} | {} |\n",
                       kind.key,
                       kind.option,
                       kind.value,
                       kind.variable,
                       fallback,
                       cell(meaning));
  }
  out +=
      "\nSecrets are better kept out of URLs, and are read from the environment too:\n\n"
      "| Variable | Meaning |\n| --- | --- |\n";
  for (const SecretVariable& variable : secret_variables) {
    out += fmt::format("| {} | {} |\n", variable.names, cell(std::string(variable.help)));
  }
  out +=
      "\nThe commands of `mizan lock` use `store:` where no lock is set. `MIZAN_FENCE`, "
      "`MIZAN_FENCE_RESOURCE` and `MIZAN_FENCE_OWNER` are set by `mizan lock run` and read by "
      "`--fence env`. `NO_COLOR` (any value) and `TERM=dumb` switch colours off.\n";
  return out;
}

}  // namespace mizan::cli
