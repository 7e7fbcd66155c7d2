#include "prover/prove.hpp"

#include "mizan/clock.hpp"

#include "base/random.hpp"
#include "base/text.hpp"
#include "json/problem.hpp"
#include "prover/mutants/mutants.hpp"
#include "prover/options.hpp"
#include "prover/runner.hpp"
#include "prover/scenario.hpp"
#include "prover/server_ground.hpp"
#include "prover/workers/roles.hpp"
#include "prover/workplace.hpp"
#include "testkit/postgres_server.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

constexpr int usage = 1;
constexpr int could_not_run = 3;

constexpr std::string_view help_text =
    "mizan prove [SCENARIO]... [--list] [--seed N] [--json] [--strategy S]... [--store URL]\n"
    "            [--lab] [--keep] [--self-test] [--report FILE.html]\n"
    "\n"
    "Shows, under load and under faults, that no money appears or vanishes. Works in a private\n"
    "temporary directory, or in schemas of its own on your server, which it makes and drops; "
    "stops\n"
    "and kills only processes that it started itself.\n"
    "\n"
    "  --list         name the scenarios and the mutants that each must catch\n"
    "  --seed N       repeat a run (printed by each run)\n"
    "  --json         one document for programs\n"
    "  --strategy S   batched, atomic, optimistic or pessimistic; may be repeated; default all\n"
    "  --store URL    sqlite: (fresh files of its own; the default) or postgres://… (your server,\n"
    "                 in schemas of random names)\n"
    "  --lab          on a private PostgreSQL server, started for this\n"
    "  --keep         leave the files, schemas and histories behind and say where\n"
    "  --self-test    plant known bugs and demand that each is caught by the right invariant\n"
    "  --report FILE  write a self-contained HTML report\n"
    "\n"
    "Status: 0 passed, 1 failed or usage, 2 inconclusive, 3 could not run.\n";

int refuse(const Console& console, const Error& error, bool as_json) {
  if (as_json) {
    json::ProblemContext context;
    context.request_id = console.request_id;
    console.out(json::problem_object(error, context).text() + '\n');
  } else {
    console.err(error.where + ": " + error.detail + '\n');
  }
  return error.code == Code::invalid_request ? usage : could_not_run;
}

int list_scenarios(const Console& console) {
  for (const Scenario& scenario : scenarios()) {
    console.out(std::string(scenario.name) + "\n    " + std::string(scenario.summary) + '\n');
    for (const ExpectedCatch& each : scenario.catches) {
      console.out("    must catch " + std::string(each.mutant) + " by " +
                  std::string(each.invariant) + ": " + std::string(describe_mutant(each.mutant)) +
                  '\n');
    }
  }
  return 0;
}

bool is_known_store(std::string_view url) {
  return url == "sqlite:" || url.starts_with("postgres://") || url.starts_with("postgresql://");
}

std::vector<const Scenario*> chosen(const ProveOptions& options) {
  std::vector<const Scenario*> result;
  for (const Scenario& scenario : scenarios()) {
    const auto wanted =
        std::find(options.scenarios.begin(), options.scenarios.end(), scenario.name) !=
        options.scenarios.end();
    if (wanted || options.scenarios.empty()) result.push_back(&scenario);
  }
  return result;
}

/// What a run stands on; it goes after everything that uses it.
struct Ground {
  std::unique_ptr<testkit::PostgresServer> lab;
  std::unique_ptr<Workplace> place;
  std::unique_ptr<ServerGround> server;  ///< Null: SQLite.

  /// Leaves room for the next scenario.
  [[nodiscard]] Status clear() const { return server ? server->clear() : Status{}; }
};

Result<std::string> server_of(const ProveOptions& options, Ground& ground) {
  if (!options.lab) return options.store;
  auto server = testkit::PostgresServer::start();
  if (!server) return std::move(server).error();
  ground.lab = std::move(*server);
  return ground.lab->url();
}

Result<Ground> open_ground(const ProveOptions& options) {
  Ground ground;
  ground.place = Workplace::make(options.keep);
  if (ground.place == nullptr) {
    return unavailable(
        "mizan prove",
        "no temporary directory could be made; set TMPDIR to one that can be written");
  }
  const auto url = server_of(options, ground);
  if (!url) return url.error();
  if (*url == "sqlite:") return ground;
  auto server = ServerGround::open(*url, options.keep);
  if (!server) return std::move(server).error();
  ground.server = std::move(*server);
  return ground;
}

RunOptions run_options(const ProveOptions& options, const Ground& ground, std::uint64_t seed) {
  RunOptions run;
  run.target.directory = ground.place->path();
  if (ground.server) run.target.schema_prefix = ground.server->prefix();
  run.seed = seed;
  run.strategies = options.strategies;
  if (run.strategies.empty()) {
    run.strategies = {
        Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic};
  }
  return run;
}

Result<StoreDescription> describe_target(const Target& target) {
  StorePlace place;
  place.file = target.directory / "describe.db";
  if (!target.schema_prefix.empty()) place.schema = target.schema_prefix + "describe";
  return describe_place(place);
}

void keep_history(const Workplace& place, const ScenarioResult& result) {
  std::ofstream file(place.path() / (result.name + ".history.jsonl"));
  file << result.history;
}

int self_test(const ProveOptions& options,
              const Ground& ground,
              const RunOptions& run,
              const Console& console) {
  std::vector<CatchResult> results;
  bool all_caught = true;
  for (const Scenario* scenario : chosen(options)) {
    for (const ExpectedCatch& expected : scenario->catches) {
      results.push_back(run_catch(*scenario, expected, run));
      all_caught = all_caught && (results.back().caught || results.back().skipped);
      if (!options.json) console.out(catch_line(results.back(), console.colours) + '\n');
      if (const Status cleared = ground.clear(); !cleared)
        return refuse(console, cleared.error(), options.json);
    }
  }
  if (options.json) {
    console.out(to_json(results));
  } else {
    console.out(std::to_string(results.size()) +
                (all_caught ? " planted bugs, each caught by the right invariant\n"
                            : " planted bugs, and at least one was MISSED\n"));
  }
  return all_caught ? 0 : 1;
}

Error unwritable_report(const std::string& name) {
  return unavailable("mizan prove", "the report could not be written to " + escape_for_log(name));
}

/// To be asked before the work; what the file says stays until the report is there.
Status check_report_file(const std::string& name) {
  if (name.empty() || std::ofstream(name, std::ios::app)) return {};
  return unwritable_report(name);
}

Status write_report(const std::string& name, const Report& report) {
  std::ofstream file(name);
  file << to_html(report);
  file.close();
  if (file) return {};
  return unwritable_report(name);
}

void say_what_is_kept(const Ground& ground, const Console& console) {
  console.err("kept: " + ground.place->path().string() + '\n');
  if (ground.server && !ground.lab) {
    console.err("kept: schemas " + ground.server->prefix() + "*\n");
  }
}

int prove(const ProveOptions& options,
          const Ground& ground,
          const RunOptions& run,
          const Console& console) {
  Report report;
  report.seed = run.seed;
  report.started_at = to_rfc3339(system_clock().wall_now());
  const auto target = describe_target(run.target);
  if (!target) return refuse(console, target.error(), options.json);
  report.target = *target;
  if (!options.json) {
    console.out("mizan prove: " + target->name + ' ' + target->version + " (" + target->durability +
                "), seed " + std::to_string(run.seed) + "\n\n");
  }
  const auto scenarios = chosen(options);
  for (const Scenario* scenario : scenarios) {
    report.scenarios.push_back(run_scenario(*scenario, run));
    const ScenarioResult& result = report.scenarios.back();
    if (options.keep) keep_history(*ground.place, result);
    if (const Status cleared = ground.clear(); !cleared)
      return refuse(console, cleared.error(), options.json);
    if (options.json) continue;
    console.out(table_line(result, console.colours) + '\n' + details_text(result, console.colours));
  }
  const Verdict verdict = overall(report.scenarios);
  if (options.json) {
    console.out(to_json(report));
  } else {
    console.out('\n' + std::string(to_string(verdict)) + '\n');
  }
  if (options.keep) say_what_is_kept(ground, console);
  if (!options.report_file.empty()) {
    const Status written = write_report(options.report_file, report);
    if (!written) return refuse(console, written.error(), options.json);
  }
  return exit_status_of(verdict);
}

}  // namespace

int run_prove(std::span<const std::string_view> words, const Console& console) {
  if (const auto role = run_role(words)) return *role;
  const auto options = parse_prove_options(words);
  const bool as_json = std::find(words.begin(), words.end(), "--json") != words.end();
  if (!options) return refuse(console, options.error(), as_json);
  if (options->help) {
    console.out(help_text);
    return 0;
  }
  if (options->list) return list_scenarios(console);
  if (!is_known_store(options->store)) {
    return refuse(console,
                  invalid_request("mizan prove",
                                  "--store takes sqlite: (fresh files of its own) or "
                                  "postgres://…; other stores are not supported yet"),
                  as_json);
  }
  if (const Status writable = check_report_file(options->report_file); !writable) {
    return refuse(console, writable.error(), as_json);
  }
  const auto ground = open_ground(*options);
  if (!ground) return refuse(console, ground.error(), as_json);
  const std::uint64_t seed = options->seed.value_or(system_random().below(1'000'000'000));
  const RunOptions run = run_options(*options, *ground, seed);
  return options->self_test ? self_test(*options, *ground, run, console)
                            : prove(*options, *ground, run, console);
}

}  // namespace mizan::prover
