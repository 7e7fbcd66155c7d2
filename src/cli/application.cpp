#include "cli/application.hpp"

#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/help.hpp"
#include "cli/parser.hpp"
#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace mizan::cli {
namespace {

constexpr int usage_status = 1;
constexpr int internal_status = 5;

int run_subcommand(const Subcommand& subcommand, const Arguments& arguments, Context& context) {
  std::vector<std::string_view> words;
  for (const std::string& word : arguments.rest()) words.emplace_back(word);
  return subcommand.run(words, context);
}

/// A command that other builds of Mizan have, or this one will.
Command missing_command(std::string name, std::string summary) {
  Command command;
  command.name = name;
  command.summary = std::move(summary);
  command.description = "Not in this build.";
  command.takes_everything = true;
  command.run = [name = std::move(name)](const Arguments&, Context& context) {
    return context.fail(
        invalid_request("command line", fmt::format("`mizan {}` is not in this build", name)));
  };
  return command;
}

void add_wired(Command& root, const Wiring& wiring) {
  for (const Subcommand& subcommand : wiring.subcommands) {
    Command command;
    command.name = subcommand.name;
    command.summary = subcommand.summary;
    command.takes_everything = true;
    command.run = [&subcommand](const Arguments& arguments, Context& context) {
      return run_subcommand(subcommand, arguments, context);
    };
    root.children.push_back(std::move(command));
  }
  const std::vector<std::pair<std::string, std::string>> expected{
      {"demo", "The story of the lock that lies, told on an embedded store"},
      {"prove", "Prove on this machine that no money appears or vanishes"},
      {"bench", "Measure this machine"}};
  for (const auto& [name, summary] : expected) {
    if (find_child(root, name) == nullptr) root.children.push_back(missing_command(name, summary));
  }
}

int show_help(const Resolved& resolved, Context& context) {
  context.out().write(help_text(resolved.path, context.out_style()));
  return 0;
}

int group_without_command(const Resolved& resolved, Context& context) {
  if (resolved.path.size() == 1 && resolved.words.empty()) {
    context.err().write(help_text(resolved.path, context.err_style()));
    return usage_status;
  }
  const std::string name = full_name(resolved.path);
  std::vector<std::string> names;
  for (const Command& child : resolved.path.back()->children) names.push_back(child.name);
  return context.fail(invalid_request(
      "command line", fmt::format("`{}` needs a command: {}", name, fmt::join(names, ", "))));
}

/// A usage error, with the way to the help that is near to it.
int usage_error(const Path& path, const UsageError& usage, Context& context) {
  const int status = report_error(context, usage.error, {}, usage.field_code);
  if (!context.json()) {
    if (path.back()->children.empty()) {
      context.note(fmt::format("  usage: {}", usage_line(path)));
    }
    context.note(fmt::format("  `{} --help` explains it", full_name(path)));
  }
  return status;
}

int run_resolved(Resolved& resolved, Context& context, const Wiring& wiring) {
  const Command& command = *resolved.path.back();
  const bool whole = command.takes_everything;
  if (resolved.help) return show_help(resolved, context);
  if (!command.children.empty()) return group_without_command(resolved, context);
  auto arguments = parse(command, global_options(), std::move(resolved.words));
  if (!arguments) return usage_error(resolved.path, arguments.error(), context);
  if (whole) arguments->set_rest(std::move(resolved.rest));
  auto settings = Settings::load(*arguments, wiring.environment);
  if (!settings) return context.fail(settings.error());
  context.configure(std::move(*settings), arguments->has("--json"));
  return command.run(*arguments, context);
}

/// What was printed must have arrived; a reader that left on purpose is no failure.
int finish(int status, Context& context) {
  Output& out = context.out();
  Output& err = context.err();
  out.flush();
  if (const int failure = out.failure(); failure != 0) {
    err.write(fmt::format("mizan: cannot write the output: {}\n", std::strerror(failure)));
    // A generated id was to be read from the output, and a repeat needs it.
    if (const auto& id = context.operation()) {
      err.write(
          fmt::format("  the operation was {}; `mizan operation show` tells what became of it\n",
                      safe(id->view())));
    }
    err.flush();
    return status == 0 ? internal_status : status;
  }
  err.flush();
  return status;
}

}  // namespace

Command make_root(const Wiring& wiring) {
  Command root;
  root.name = "mizan";
  root.summary = "A money ledger that stays right when the lock lies.";
  root.description =
      "Money moves between wallets exactly once per operation id, on a database file that needs no "
      "server. Amounts are written with the decimals of their currency, such as 12.34; there is no "
      "floating point anywhere.";
  root.children = standard_commands();
  add_wired(root, wiring);
  root.examples = {
      {"mizan demo", "See the problem and the answer, in seconds"},
      {"mizan init", "Make a ledger: the file mizan.db in this directory"},
      {"mizan wallet create alice --currency EUR", "A wallet that holds euros"},
      {"mizan deposit alice 100", "Money enters"},
      {"mizan transfer alice bob 12.34 --id order-17", "Money moves, at most once for this id"}};
  return root;
}

int run(const std::vector<std::string>& words, const Wiring& wiring, const Streams& streams) {
  const Command root = make_root(wiring);
  Context context(wiring, root, streams);
  context.configure({}, wants_json(words));
  auto resolved = resolve(root, words);
  const int status =
      resolved ? run_resolved(*resolved, context, wiring) : context.fail(resolved.error());
  return finish(status, context);
}

}  // namespace mizan::cli
