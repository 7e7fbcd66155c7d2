#include "cli/manual.hpp"

#include "mizan/version.hpp"

#include "cli/help.hpp"
#include "cli/secret_variables.hpp"
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace mizan::cli {
namespace {

/// Text as man(7) prints it: nothing in it is a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", roff(text));
}

void add_item(std::string& out, std::string_view head, std::string_view text) {
  out += fmt::format(".TP\n{}\n{}\n", bold(head), roff(text));
}

void add_header(std::string& out, std::string_view name, int section, std::string_view summary) {
  out += fmt::format(".TH {} {} \"\" \"mizan {}\"\n", name, section, version);
  out += fmt::format(".SH NAME\n{} \\- {}\n", name, roff(summary));
}

void add_example(std::string& out, const Example& example) {
  out += fmt::format(
      ".PP\n{}:\n.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", roff(example.says), roff(example.line));
}

void add_command(std::string& out, Path& path) {
  const Command& command = *path.back();
  if (path.size() > 1 && command.children.empty()) {
    out += fmt::format(".SS {}\n{}.\n", roff(usage_line(path)), roff(command.summary));
    if (!command.description.empty()) out += fmt::format(".PP\n{}\n", roff(command.description));
    for (const Argument& argument : command.arguments) {
      add_item(out, argument.name, argument.help);
    }
    for (const Option& option : command.options) {
      add_item(out, show_option(option), option.help);
    }
    for (const Example& example : command.examples) add_example(out, example);
  }
  for (const Command& child : command.children) {
    path.push_back(&child);
    add_command(out, path);
    path.pop_back();
  }
}

void add_secrets(std::string& out) {
  out +=
      ".SH ENVIRONMENT\nBeside those of the options, and for what is better kept out of a URL:\n";
  for (const SecretVariable& variable : secret_variables) {
    add_item(out, variable.names, variable.help);
  }
}

std::string meaning_of(const SettingKind& kind) {
  std::string text = kind.help;
  if (!kind.choices.empty()) text += fmt::format(" ({})", fmt::join(kind.choices, ", "));
  text += fmt::format(". Also {}", kind.variable);
  return text + (kind.fallback.empty() ? "." : fmt::format("; default {}.", kind.fallback));
}

}  // namespace

std::string program_manual(const Command& root) {
  std::string out;
  add_header(out, root.name, 1, "a money ledger that stays right when the lock lies");
  out += ".SH SYNOPSIS\n.B mizan\n.I COMMAND\n[\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...\n";
  out += fmt::format(".SH DESCRIPTION\n{}\n", roff(root.description));
  out += ".SH COMMANDS\n";
  Path path{&root};
  add_command(out, path);
  out += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const SettingKind& kind : setting_kinds()) {
    if (!kind.of_server) {
      add_item(out, fmt::format("{} {}", kind.option, kind.value), meaning_of(kind));
    }
  }
  for (const Option& option : global_options()) {
    const auto is_it = [&](const SettingKind& kind) { return kind.option == option.name; };
    if (std::none_of(setting_kinds().begin(), setting_kinds().end(), is_it)) {
      add_item(out, show_option(option), option.help);
    }
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitMeaning& exit : exit_meanings(Command{})) {
    add_item(out, fmt::format("{}", exit.status), exit.means);
  }
  add_secrets(out);
  out += ".SH FILES\n";
  add_item(out,
           "~/.config/mizan/mizan.conf, /etc/mizan/mizan.conf",
           "The settings; the first "
           "that exists is read.");
  out += ".SH SEE ALSO\n.BR mizan.conf (5)\n";
  return out;
}

std::string settings_manual() {
  std::string out;
  add_header(out, "mizan.conf", 5, "settings of mizan");
  out +=
      ".SH DESCRIPTION\nLines of \\fIkey\\fR = \\fIvalue\\fR; # begins a comment. An unknown key "
      "is "
      "an error that names the line. An option goes before an environment variable, that before "
      "the file, that before the default;\n.B mizan config show\ntells each value and where it "
      "comes from.\n.SH KEYS\n";
  for (const SettingKind& kind : setting_kinds()) add_item(out, kind.key, meaning_of(kind));
  add_secrets(out);
  out += ".SH EXAMPLE\n.nf\nstore = sqlite:/var/lib/mizan/ledger.db\ndeadline = 5s\n.fi\n";
  out += ".SH SEE ALSO\n.BR mizan (1)\n";
  return out;
}

}  // namespace mizan::cli
