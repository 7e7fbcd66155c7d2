#include "cli/command_line.hpp"

#include "base/text.hpp"
#include "cli/nearest.hpp"
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mizan::cli {
namespace {

using Words = std::vector<std::string>;

Error unknown_command(const Path& path, const std::string& word) {
  std::vector<std::string> names;
  for (const Command& child : path.back()->children) names.push_back(child.name);
  const auto best = nearest(word, names);
  const std::string shown = escape_for_log(word, 64);
  if (best) {
    return invalid_request("command line",
                           fmt::format("there is no command '{} {}'; did you mean '{} {}'?",
                                       full_name(path),
                                       shown,
                                       full_name(path),
                                       *best));
  }
  return invalid_request("command line",
                         fmt::format("there is no command '{} {}'; `{} --help` lists them",
                                     full_name(path),
                                     shown,
                                     full_name(path)));
}

/// Does the next word belong to this one, being the value of a global option?
bool takes_next(const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  const auto options = global_options();
  return std::any_of(options.begin(), options.end(), [&](const Option& option) {
    return option.name == word && !option.values.empty();
  });
}

bool is_help(const std::string& word) {
  return word == "--help" || word == "-h";
}

/// `mizan help wallet create` is `mizan wallet create --help`, and --version is a command too.
Words rewrite(const Words& words) {
  if (words.empty()) return words;
  if (words.front() == "--version" || words.front() == "-V") return {"version"};
  if (words.front() != "help") return words;
  Words rewritten(std::next(words.begin()), words.end());
  rewritten.emplace_back("--help");
  return rewritten;
}

}  // namespace

Result<Resolved> resolve(const Command& root, const Words& given) {
  const Words words = rewrite(given);
  Resolved resolved;
  resolved.path.push_back(&root);
  for (auto word = words.begin(); word != words.end(); ++word) {
    const Command& command = *resolved.path.back();
    if (*word == "--") {
      resolved.words.insert(resolved.words.end(), word, words.end());
      break;
    }
    if (is_help(*word)) {
      resolved.help = true;
      continue;
    }
    const bool is_option = word->starts_with("-") && word->size() > 1;
    if (is_option || command.children.empty()) {
      resolved.words.push_back(*word);
      const bool has_next = std::next(word) != words.end();
      if (is_option && has_next && takes_next(*word)) resolved.words.push_back(*++word);
      continue;
    }
    const Command* child = find_child(command, *word);
    if (child == nullptr) return unknown_command(resolved.path, *word);
    resolved.path.push_back(child);
    if (child->takes_everything) {
      resolved.rest.assign(std::next(word), words.end());
      break;
    }
  }
  return resolved;
}

bool wants_json(const Words& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, "--json") != end;
}

}  // namespace mizan::cli
