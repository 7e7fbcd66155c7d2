#include "cli/parser.hpp"

#include "base/text.hpp"
#include "cli/nearest.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

namespace mizan::cli {
namespace {

constexpr const char* where = "command line";
// Below this number CLI11 lets one use of an option take the words of the next.
constexpr int uses_max = CLI::detail::expected_max_vector_size;

/// One option or argument bound to CLI11, which fills in `values`.
struct Binding {
  std::string name;
  CLI::Option* option = nullptr;
  std::vector<std::string> values;
  const std::vector<std::string>* choices = nullptr;
};

void bind_option(CLI::App& app, const Option& option, Binding& binding) {
  binding.name = option.name;
  binding.choices = &option.choices;
  if (option.values.empty()) {
    binding.option = app.add_flag(option.name);
    return;
  }
  binding.option = app.add_option(option.name, binding.values);
  binding.option->type_size(static_cast<int>(option.values.size()))
      ->expected(1, option.repeatable ? uses_max : 1)
      ->allow_extra_args(false);
  if (!option.repeatable) binding.option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void bind_argument(CLI::App& app, const Argument& argument, Binding& binding) {
  binding.name = argument.name;
  binding.choices = &argument.choices;
  binding.option = app.add_option(argument.name, binding.values);
  binding.option->type_size(1)->expected(1)->allow_extra_args(false);
}

UsageError unknown_word(std::string detail) {
  return {invalid_request(where, std::move(detail)), json::field_code::unknown_field};
}

UsageError missing_command(std::string detail) {
  return {invalid_request(where, std::move(detail)), json::field_code::missing};
}

UsageError missing(std::string_view name, std::string detail) {
  return {bad_argument(name, std::move(detail)), json::field_code::missing};
}

UsageError unexpected(const Command& command,
                      std::span<const Option> global,
                      const std::string& word) {
  const std::string shown = escape_for_log(word);
  if (word.size() < 2 || word.front() != '-') {
    return unknown_word(fmt::format("'{}' is one argument too many", shown));
  }
  if (word[1] >= '0' && word[1] <= '9') {
    return unknown_word(
        fmt::format("'{}' looks like an option; amounts are positive, "
                    "and a value that begins with - goes after --",
                    shown));
  }
  std::vector<std::string> names{"--help"};
  for (const Option& option : command.options) names.push_back(option.name);
  for (const Option& option : global) names.push_back(option.name);
  const std::string name = word.substr(0, word.find('='));
  const auto best = nearest(name, names);
  if (best == name) {
    return unknown_word(
        fmt::format("'{}' after -- is one argument too many; options go before --", shown));
  }
  return unknown_word(best ? fmt::format("there is no option {}; did you mean {}?", shown, *best)
                           : fmt::format("there is no option {}", shown));
}

const Option* find_option(const Command& command,
                          std::span<const Option> global,
                          std::string_view name) {
  const auto is_named = [name](const Option& option) { return option.name == name; };
  const auto own = std::find_if(command.options.begin(), command.options.end(), is_named);
  if (own != command.options.end()) return &*own;
  const auto shared = std::find_if(global.begin(), global.end(), is_named);
  return shared == global.end() ? nullptr : &*shared;
}

/// `---x`, `--!x`: nothing that CLI11 takes for an option, and nothing that anybody means as an
/// argument.
bool has_odd_dashes(std::string_view word) {
  const std::size_t name = word.starts_with("--") ? 2 : 1;
  return word.starts_with("-") && word.size() > name && (word[name] == '-' || word[name] <= '!');
}

/// CLI11 takes the next word for the value of `--option=`, so that `--id=$EMPTY --dry-run` would
/// move money under the id `--dry-run`; and odd dashes for an argument.
std::optional<UsageError> check_dashes(const Command& command,
                                       std::span<const Option> global,
                                       const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    const Option* option = find_option(command, global, word.substr(0, equals));
    if (option == nullptr) {
      if (has_odd_dashes(word)) return unexpected(command, global, words[i]);
      continue;
    }
    i += option->values.size();  // Its values may look as they like.
    if (equals == word.size()) continue;
    if (option->values.empty()) {
      return UsageError{
          bad_argument(option->name, fmt::format("option {} takes no value", option->name))};
    }
    --i;
    if (equals + 1 == word.size()) {
      return UsageError{
          bad_argument(option->name, fmt::format("option {} has an empty value", option->name))};
    }
  }
  return std::nullopt;
}

std::string value_names(const Option& option) {
  return fmt::format("{}", fmt::join(option.values, " "));
}

std::optional<UsageError> check(const Command& command, const std::deque<Binding>& bindings) {
  const auto given = [&](const std::string& name) {
    return std::any_of(bindings.begin(), bindings.end(), [&](const Binding& binding) {
      return binding.name == name && binding.option->count() > 0;
    });
  };
  for (const Argument& argument : command.arguments) {
    if (argument.required && !given(argument.name)) {
      return missing(argument.name, fmt::format("{} is missing", argument.name));
    }
  }
  for (const Option& option : command.options) {
    if (option.required && !given(option.name)) {
      return missing(option.name,
                     fmt::format("{} {} is missing", option.name, value_names(option)));
    }
  }
  for (const Binding& binding : bindings) {
    if (binding.choices->empty()) continue;
    for (const std::string& value : binding.values) {
      if (std::count(binding.choices->begin(), binding.choices->end(), value) > 0) continue;
      return UsageError{bad_argument(binding.name,
                                     fmt::format("{} is one of {}, not '{}'",
                                                 binding.name,
                                                 fmt::join(*binding.choices, ", "),
                                                 escape_for_log(value)))};
    }
  }
  return std::nullopt;
}

/// CLI11 reports by exceptions; they end here.
std::optional<UsageError> run_parser(CLI::App& app,
                                     const Command& command,
                                     std::span<const Option> global,
                                     std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the end.
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return UsageError{invalid_request(where, escape_for_log(error.what(), 512))};
  }
  std::vector<std::string> extra = app.remaining();
  std::erase(extra, "--");  // CLI11 counts the mark among what nobody asked for.
  if (!extra.empty()) return unexpected(command, global, extra.front());
  return std::nullopt;
}

}  // namespace

Result<Arguments, UsageError> parse(const Command& command,
                                    std::span<const Option> global,
                                    std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::deque<Binding> bindings;  // A deque, since CLI11 keeps references into it.
  for (const Argument& argument : command.arguments) {
    bind_argument(app, argument, bindings.emplace_back());
  }
  for (const Option& option : command.options) bind_option(app, option, bindings.emplace_back());
  for (const Option& option : global) bind_option(app, option, bindings.emplace_back());

  std::vector<std::string> rest;
  if (command.takes_command_line) {
    const auto mark = std::find(words.begin(), words.end(), "--");
    if (mark == words.end()) {
      return missing_command("write -- and then the command to run");
    }
    rest.assign(std::next(mark), words.end());
    words.erase(mark, words.end());
    if (rest.empty()) return missing_command("the command to run after -- is missing");
  }
  if (auto error = check_dashes(command, global, words)) return std::move(*error);
  if (auto error = run_parser(app, command, global, std::move(words))) return std::move(*error);
  if (auto error = check(command, bindings)) return std::move(*error);

  Arguments arguments;
  for (Binding& binding : bindings) {
    if (binding.option->count() > 0) arguments.add(binding.name, std::move(binding.values));
  }
  arguments.set_rest(std::move(rest));
  return arguments;
}

}  // namespace mizan::cli
