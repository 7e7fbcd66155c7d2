#include "cli/help.hpp"

#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::size_t columns_max = 100;
constexpr std::size_t left_width_max = 34;

struct Line {
  std::string left;
  std::string right;
};

/// Words filled into lines that begin at `indent`; the first is there already up to it.
std::string fill(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first && column + 1 + word.size() > columns_max) {
      out += fmt::format("\n{:{}}", "", indent);
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  return out;
}

void add_section(std::string& out,
                 const Style& style,
                 std::string_view title,
                 const std::vector<Line>& lines) {
  if (lines.empty()) return;
  std::size_t width = 0;
  for (const Line& line : lines) {
    if (line.left.size() <= left_width_max) width = std::max(width, line.left.size());
  }
  out += fmt::format("\n{}\n", style.paint(Colour::strong, title));
  for (const Line& line : lines) {
    const std::size_t indent = width + 4;
    if (line.left.size() > width) {
      out += fmt::format("  {}\n{:{}}{}\n", line.left, "", indent, fill(line.right, indent));
    } else {
      out += fmt::format("  {:{}}  {}\n", line.left, width, fill(line.right, indent));
    }
  }
}

Line option_line(const Option& option) {
  std::string help = option.help;
  if (option.repeatable) help += "; may be repeated";
  if (option.required) help += " (required)";
  return {show_option(option), help};
}

std::vector<Line> global_lines() {
  std::vector<Line> lines;
  for (const SettingKind& kind : setting_kinds()) {
    if (kind.of_server) continue;
    std::string help = fmt::format("{}. Also {}; default {}",
                                   kind.help,
                                   kind.variable,
                                   kind.fallback.empty() ? "none" : kind.fallback);
    lines.push_back(
        {fmt::format(
             "{} {}",
             kind.option,
             kind.choices.empty() ? kind.value : fmt::format("{}", fmt::join(kind.choices, "|"))),
         std::move(help)});
  }
  for (const Option& option : global_options()) {
    const bool is_setting =
        std::any_of(setting_kinds().begin(), setting_kinds().end(), [&](const SettingKind& kind) {
          return kind.option == option.name;
        });
    if (!is_setting) lines.push_back(option_line(option));
  }
  lines.push_back({"--help, -h", "This text"});
  return lines;
}

void add_examples(std::string& out, const Style& style, const Command& command) {
  if (command.examples.empty()) return;
  out += fmt::format("\n{}\n", style.paint(Colour::strong, "Examples"));
  for (const Example& example : command.examples) {
    out += fmt::format("  {}\n", style.paint(Colour::faint, "# " + fill(example.says, 4)));
    out += fmt::format("  {}\n", example.line);
  }
}

void add_description(std::string& out, std::string_view description) {
  while (!description.empty()) {
    const std::size_t end = std::min(description.find('\n'), description.size());
    out += fmt::format("\n{}\n", fill(description.substr(0, end), 0));
    description.remove_prefix(std::min(end + 1, description.size()));
  }
}

}  // namespace

std::string full_name(const Path& path) {
  std::string name;
  for (const Command* command : path) {
    if (!name.empty()) name += ' ';
    name += command->name;
  }
  return name;
}

std::string show_option(const Option& option) {
  if (option.values.empty()) return option.name;
  if (!option.choices.empty()) {
    return fmt::format("{} {}", option.name, fmt::join(option.choices, "|"));
  }
  return fmt::format("{} {}", option.name, fmt::join(option.values, " "));
}

std::string usage_line(const Path& path) {
  const Command& command = *path.back();
  std::string line = full_name(path);
  if (!command.children.empty()) return line + " COMMAND ...";
  for (const Argument& argument : command.arguments) {
    line +=
        argument.required ? fmt::format(" {}", argument.name) : fmt::format(" [{}]", argument.name);
  }
  for (const Option& option : command.options) {
    const std::string shown = show_option(option);
    line += option.required ? fmt::format(" {}", shown)
                            : fmt::format(" [{}]{}", shown, option.repeatable ? "..." : "");
  }
  if (command.takes_command_line) line += " -- COMMAND ...";
  if (command.takes_everything) line += " ...";
  return line;
}

std::vector<ExitMeaning> exit_meanings(const Command& command) {
  if (!command.exits.empty()) return command.exits;
  return {{0, "Done; for operations: applied, or already applied"},
          {1, "Usage: the request is malformed; nothing was done"},
          {2, "Refused; the outcome is on stderr, or with --json on stdout"},
          {3, "Busy or unavailable; nothing was applied: try again"},
          {4, "Unknown: it may have been applied; repeat it with the same id"},
          {5, "Internal: a defect, or the output could not be written"}};
}

std::string help_text(const Path& path, const Style& style) {
  const Command& command = *path.back();
  std::string out = fmt::format("{}\n", fill(command.summary, 0));
  out +=
      fmt::format("\n{}\n  {}\n", style.paint(Colour::strong, "Usage"), fill(usage_line(path), 6));
  add_description(out, command.description);

  std::vector<Line> lines;
  for (const Command& child : command.children) {
    lines.push_back({child.name, child.summary});
  }
  add_section(out, style, "Commands", lines);
  lines.clear();
  for (const Argument& argument : command.arguments) {
    lines.push_back({argument.name, argument.help});
  }
  add_section(out, style, "Arguments", lines);
  lines.clear();
  for (const Option& option : command.options) lines.push_back(option_line(option));
  add_section(out, style, "Options", lines);
  if (!command.takes_everything)
    add_section(out, style, "Options of every command", global_lines());
  add_examples(out, style, command);
  lines.clear();
  for (const ExitMeaning& exit : exit_meanings(command)) {
    lines.push_back({std::to_string(exit.status), exit.means});
  }
  add_section(out, style, "Exit status", lines);
  return out;
}

}  // namespace mizan::cli
