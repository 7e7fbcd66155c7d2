#include "cli/completion.hpp"

#include "cli/settings.hpp"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string_view>
#include <vector>

namespace mizan::cli {
namespace {

/// Called with each command and its path below the root: "", "wallet", "wallet create".
using Visit = std::function<void(const Command&, const std::string& path)>;

void walk(const Command& command, const std::string& path, const Visit& visit) {
  visit(command, path);
  for (const Command& child : command.children) {
    walk(child, path.empty() ? child.name : path + " " + child.name, visit);
  }
}

std::vector<Option> options_of(const Command& command) {
  if (command.takes_everything) return {};
  std::vector<Option> options = command.options;
  for (const Option& option : global_options()) options.push_back(option);
  options.push_back({.name = "--help", .help = "Explain the command"});
  return options;
}

/// Options whose value must be skipped when the words are walked, over the whole tree.
std::set<std::string> options_with_value(const Command& root) {
  std::set<std::string> names;
  walk(root, "", [&](const Command& command, const std::string&) {
    for (const Option& option : options_of(command)) {
      if (!option.values.empty()) names.insert(option.name);
    }
  });
  return names;
}

/// "wallet|wallet create|…": the arms of a case that recognises a step down the tree.
std::string known_paths(const Command& root) {
  std::string arms;
  walk(root, "", [&](const Command&, const std::string& path) {
    if (path.empty()) return;
    arms += fmt::format("{}'{}'", arms.empty() ? "" : "|", path);
  });
  return arms;
}

/// Text inside single quotes of a shell.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

bool completes_files(const Command& command) {
  if (command.takes_command_line) return true;
  for (const Argument& argument : command.arguments) {
    if (argument.completes == Completes::files) return true;
  }
  return false;
}

std::vector<std::string> first_choices(const Command& command) {
  return command.arguments.empty() ? std::vector<std::string>{} : command.arguments.front().choices;
}

/// The part that bash and zsh share: walking the words before the cursor down to a path.
std::string walk_words(const Command& root) {
  return fmt::format(
      "  local taken= word= skip=\n"
      "  for word in \"${{before[@]}}\"; do\n"
      "    if [[ -n $skip ]]; then skip=; continue; fi\n"
      "    case $word in\n"
      "      --) break ;;\n"
      "      {}) skip=1; continue ;;\n"
      "      -*) continue ;;\n"
      "    esac\n"
      "    case \"${{taken:+$taken }}$word\" in\n"
      "      {}) taken=\"${{taken:+$taken }}$word\" ;;\n"
      "    esac\n"
      "  done\n",
      fmt::join(options_with_value(root), "|"),
      known_paths(root));
}

/// `case $previous` arms for options with choices.
std::string choice_arms(const Command& root, std::string_view arm) {
  std::set<std::string> seen;
  std::string out;
  walk(root, "", [&](const Command& command, const std::string&) {
    for (const Option& option : options_of(command)) {
      if (option.choices.empty() || !seen.insert(option.name).second) continue;
      out += fmt::format(fmt::runtime(arm), option.name, fmt::join(option.choices, " "));
    }
  });
  return out;
}

/// What fish is to offer as the value of an option.
std::string fish_values(const Option& option) {
  if (!option.choices.empty()) return fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
  if (option.completes == Completes::files) return " -r -F";
  return option.values.empty() ? "" : " -x";
}

/// What fish is to offer behind the words of `path`.
std::string fish_lines(const Command& command, const std::string& path) {
  const std::string at = fmt::format("complete -c mizan -n '__mizan_at \"{}\"'", path);
  std::string lines;
  for (const std::string& choice : first_choices(command)) {
    lines += fmt::format("{} -a {}\n", at, quoted(choice));
  }
  for (const Command& child : command.children) {
    lines += fmt::format("{} -a {} -d {}\n", at, quoted(child.name), quoted(child.summary));
  }
  for (const Option& option : options_of(command)) {
    lines += fmt::format(
        "{} -l {}{} -d {}\n", at, option.name.substr(2), fish_values(option), quoted(option.help));
  }
  if (completes_files(command)) lines += fmt::format("{} -F\n", at);
  return lines;
}

}  // namespace

std::string bash_completion(const Command& root) {
  std::string arms;
  walk(root, "", [&](const Command& command, const std::string& path) {
    std::vector<std::string> words = first_choices(command);
    for (const Command& child : command.children) words.push_back(child.name);
    std::vector<std::string> names;
    for (const Option& option : options_of(command)) names.push_back(option.name);
    arms += fmt::format("    '{}') words='{}' options='{}' files={} ;;\n",
                        path,
                        fmt::join(words, " "),
                        fmt::join(names, " "),
                        completes_files(command) ? "1" : "");
  });
  return fmt::format(
      "# bash completion for mizan. Load it with: source <(mizan completion bash)\n"
      "_mizan() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local before=(\"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\")\n"
      "  local words= options= files=\n"
      "  COMPREPLY=()\n"
      "  case $previous in\n"
      "{}"
      "    --config) COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n"
      "    {}) return ;;\n"
      "  esac\n"
      "{}"
      "  case $taken in\n"
      "{}"
      "  esac\n"
      "  if [[ $current == -* ]]; then words=$options files=; fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  if [[ -n $files ]]; then COMPREPLY+=($(compgen -f -- \"$current\")); fi\n"
      "}}\n"
      "complete -o filenames -F _mizan mizan\n",
      choice_arms(root, "    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n"),
      fmt::join(options_with_value(root), "|"),
      walk_words(root),
      arms);
}

std::string zsh_completion(const Command& root) {
  const auto described = [](std::string_view name, std::string_view help) {
    std::string escaped;
    for (const char c : name) {
      if (c == ':' || c == '\\') escaped += '\\';
      escaped += c;
    }
    return quoted(fmt::format("{}:{}", escaped, help));
  };
  std::string arms;
  walk(root, "", [&](const Command& command, const std::string& path) {
    std::string words;
    for (const std::string& choice : first_choices(command)) {
      words += " " + described(choice, "");
    }
    for (const Command& child : command.children) {
      words += " " + described(child.name, child.summary);
    }
    std::string names;
    for (const Option& option : options_of(command)) {
      names += " " + described(option.name, option.help);
    }
    arms += fmt::format("    '{}') candidates=({} ) switches=({} ) files={} ;;\n",
                        path,
                        words,
                        names,
                        completes_files(command) ? "1" : "");
  });
  return fmt::format(
      "#compdef mizan\n"
      "# zsh completion for mizan. Load it with: source <(mizan completion zsh), or put it into a\n"
      "# folder of $fpath as _mizan.\n"
      "_mizan() {{\n"
      "  local current=${{words[CURRENT]}} previous=${{words[CURRENT-1]}} files=\n"
      "  local -a before candidates switches\n"
      "  before=(\"${{(@)words[2,CURRENT-1]}}\")\n"
      "  case $previous in\n"
      "{}"
      "    --config) _files; return ;;\n"
      "    {}) return ;;\n"
      "  esac\n"
      "{}"
      "  case $taken in\n"
      "{}"
      "  esac\n"
      "  if [[ $current == -* ]]; then _describe -o option switches; return; fi\n"
      "  if (( $#candidates )); then _describe command candidates; fi\n"
      "  if [[ -n $files ]]; then _files; fi\n"
      "}}\n"
      "if [[ ${{funcstack[1]}} == _mizan ]]; then _mizan \"$@\"; else compdef _mizan mizan; fi\n",
      choice_arms(root, "    {}) compadd -- {}; return ;;\n"),
      fmt::join(options_with_value(root), "|"),
      walk_words(root),
      arms);
}

std::string fish_completion(const Command& root) {
  std::string lines;
  walk(root, "", [&](const Command& command, const std::string& path) {
    lines += fish_lines(command, path);
  });
  std::string arms;
  walk(root, "", [&](const Command&, const std::string& path) {
    if (!path.empty()) arms += fmt::format(" {}", quoted(path));
  });
  return fmt::format(
      "# fish completion for mizan. Load it with: mizan completion fish | source\n"
      "function __mizan_at\n"
      "  set -l path ''\n"
      "  set -l skip 0\n"
      "  set -l words (commandline -opc)\n"
      "  for word in $words[2..-1]\n"
      "    if test $skip = 1; set skip 0; continue; end\n"
      "    switch $word\n"
      "      case --; break\n"
      "      case {}; set skip 1; continue\n"
      "      case '-*'; continue\n"
      "    end\n"
      "    set -l next (string trim -- \"$path $word\")\n"
      "    if contains -- $next{}; set path $next; end\n"
      "  end\n"
      "  test \"$path\" = \"$argv[1]\"\n"
      "end\n"
      "complete -c mizan -f\n"
      "{}",
      fmt::join(options_with_value(root), " "),
      arms,
      lines);
}

}  // namespace mizan::cli
