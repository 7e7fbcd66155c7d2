#include "prover/prove.hpp"

#include "mizan/clock.hpp"

#include "base/mutex.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "json/problem.hpp"
#include "prover/ground.hpp"
#include "prover/layers.hpp"
#include "prover/mutants/mutants.hpp"
#include "prover/options.hpp"
#include "prover/progress.hpp"
#include "prover/runner.hpp"
#include "prover/scenario.hpp"
#include "prover/workers/roles.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

constexpr int usage = 1;
constexpr int could_not_run = 3;

constexpr std::string_view help_text =
    "mizan prove [SCENARIO]... [--list] [--seed N] [--json] [--strategy S]... [--store URL]...\n"
    "            [--lock URL [--allow-destructive]] [--lab [--engine NAME]...] [--keep]\n"
    "            [--self-test] [--layers] [--report FILE.html]\n"
    "\n"
    "Shows, under load and under faults, that no money appears or vanishes. Works in a private\n"
    "temporary directory, or in schemas and databases of its own on your server, which it makes\n"
    "and drops; stops and kills only processes that it started itself.\n"
    "\n"
    "  --list         name the scenarios and the mutants that each must catch\n"
    "  --seed N       repeat a run (printed by each run)\n"
    "  --json         one document for programs\n"
    "  --strategy S   batched, atomic, optimistic or pessimistic; may be repeated; default all\n"
    "  --store URL    sqlite: (fresh files of its own; the default), postgres://… or mariadb://…\n"
    "                 (your server, in schemas or databases of random names); may be repeated\n"
    "  --lock URL     redis://…, rediss://…, redis+sentinel://…, redis+cluster://… (your Redis, "
    "with\n"
    "                 keys of a random prefix), store:, memory: or none:; default: the store's "
    "own\n"
    "                 leases, and private Redis servers where they are the point\n"
    "  --allow-destructive\n"
    "                 your Redis may be emptied (FLUSHALL) and held up (CLIENT PAUSE) by the\n"
    "                 scenarios that are about that; without it they are skipped\n"
    "  --lab          on every store at once, on private servers that are started for this\n"
    "  --engine NAME  of the lab only this one: sqlite, postgres, mariadb, galera; repeatable\n"
    "  --keep         leave files, schemas, databases and histories behind and say where\n"
    "  --self-test    plant known bugs and demand that each is caught by the right invariant\n"
    "  --layers       show which layer protects from what: scenarios with one layer off at a time\n"
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

std::string self_test_summary(const std::vector<CatchResult>& results) {
  const auto count = [&results](bool CatchResult::*what) {
    return std::count_if(
        results.begin(), results.end(), [what](const CatchResult& result) { return result.*what; });
  };
  const auto caught = count(&CatchResult::caught);
  const auto skipped = count(&CatchResult::skipped);
  const auto missed = static_cast<std::ptrdiff_t>(results.size()) - caught - skipped;
  std::string text = std::to_string(results.size()) + " planted bugs: " + std::to_string(caught) +
                     " caught by the right invariant";
  if (skipped != 0) text += ", " + std::to_string(skipped) + " skipped";
  return text + (missed == 0 ? "\n" : ", " + std::to_string(missed) + " MISSED\n");
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

RunOptions run_options(const ProveOptions& options, std::uint64_t seed) {
  RunOptions run;
  run.seed = seed;
  run.strategies = options.strategies;
  if (run.strategies.empty()) {
    run.strategies = {
        Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic};
  }
  return run;
}

void keep_history(const StoreUnderTest& store, const ScenarioResult& result) {
  std::ofstream file(store.target.directory / (result.name + ".history.jsonl"));
  file << result.history;
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

void say_what_is_kept(const Ground& ground, bool lab, const Console& console) {
  console.err("kept: " + ground.place->path().string() + '\n');
  if (ground.keys) console.err("kept: keys of " + ground.keys->prefix() + "*\n");
  for (const StoreUnderTest& store : ground.stores) {
    if (store.rooms && !lab) console.err("kept: " + store.rooms->prefix() + "*\n");
  }
}

/// The stores at once, each on a thread of its own; the scenarios of one come one after the other.
/// One after the other too where they share a Redis that may be emptied under them.
void on_each_store(Ground& ground, const std::function<void(std::size_t index)>& work) {
  const bool at_once = !ground.keys || !ground.lock.allow_destructive;
  std::vector<std::jthread> threads;
  for (std::size_t index = 0; index < ground.stores.size(); ++index) {
    if (!ground.stores[index].skipped.empty()) continue;
    threads.emplace_back(work, index);
    if (!at_once) threads.clear();
  }
}

/// One run of the prover.
class Proof {
 public:
  Proof(const ProveOptions& options, Ground& ground, RunOptions run, const Console& console)
      : options_(options), ground_(ground), run_(std::move(run)), console_(console) {}

  int self_test() {
    std::vector<std::vector<CatchResult>> by_store(ground_.stores.size());
    {
      Progress progress(console_, steps(true), options_.json);
      on_each_store(ground_, [&](std::size_t index) { plant(index, by_store[index], progress); });
    }
    std::vector<CatchResult> results;
    for (auto& some : by_store) {
      std::move(some.begin(), some.end(), std::back_inserter(results));
    }
    if (first_error_) return refuse(console_, *first_error_, options_.json);
    const bool all_caught =
        std::all_of(results.begin(), results.end(), [](const CatchResult& result) {
          return result.caught || result.skipped;
        });
    if (options_.json) {
      console_.out(to_json(results));
    } else {
      console_.out(self_test_summary(results));
    }
    return all_caught ? 0 : 1;
  }

  int show_layers(std::span<const std::string_view> situations) {
    Report report = begin_report();
    if (!options_.json) console_.out(header(report));
    {
      Progress progress(console_, layer_steps(situations) * ground_.stores.size(), options_.json);
      on_each_store(ground_, [&](std::size_t index) {
        report.stores[index].layers = measure(situations, index, progress);
      });
    }
    if (first_error_) return refuse(console_, *first_error_, options_.json);
    if (options_.json) console_.out(layers_to_json(report));
    if (options_.json) return 0;
    for (const StoreReport& store : report.stores) {
      if (store.skipped.empty()) console_.out(layer_matrix_text(store, console_.colours));
    }
    return 0;
  }

  int prove() {
    Report report = begin_report();
    if (!options_.json) console_.out(header(report));
    {
      Progress progress(console_, steps(false), options_.json);
      on_each_store(ground_, [&](std::size_t index) {
        run_scenarios(index, report.stores[index].scenarios, progress);
      });
    }
    if (options_.keep) say_what_is_kept(ground_, options_.lab, console_);
    if (!options_.report_file.empty()) {
      const Status written = write_report(options_.report_file, report);
      if (!written) return refuse(console_, written.error(), options_.json);
    }
    const Verdict verdict = overall(report);
    if (options_.json) {
      console_.out(to_json(report));
    } else {
      console_.out('\n' + matrix_text(report, console_.colours) + std::string(to_string(verdict)) +
                   '\n');
    }
    if (first_error_) console_.err(first_error_->where + ": " + first_error_->detail + '\n');
    return exit_status_of(verdict);
  }

 private:
  [[nodiscard]] Report begin_report() const {
    Report report;
    report.seed = run_.seed;
    report.lock = describe_lock(ground_.lock);
    report.started_at = to_rfc3339(system_clock().wall_now());
    for (const StoreUnderTest& store : ground_.stores) {
      report.stores.push_back({store.target.name, store.description, store.skipped, {}, {}});
    }
    return report;
  }

  [[nodiscard]] RunOptions run_on(std::size_t index) const {
    RunOptions run = run_;
    run.target = ground_.stores[index].target;
    run.lock = ground_.lock;
    return run;
  }

  [[nodiscard]] std::size_t steps(bool bugs) const {
    std::size_t of_one = 0;
    for (const Scenario* scenario : chosen(options_)) of_one += bugs ? scenario->catches.size() : 1;
    return of_one * ground_.stores.size();
  }

  [[nodiscard]] bool is_alone() const { return ground_.stores.size() == 1; }

  void run_scenarios(std::size_t index, std::vector<ScenarioResult>& results, Progress& progress) {
    StoreUnderTest& store = ground_.stores[index];
    bool is_gone = false;
    for (const Scenario* scenario : chosen(options_)) {
      progress.begins(store.target.name, scenario->name);
      results.push_back(is_gone ? not_run(*scenario) : run_scenario(*scenario, run_on(index)));
      ScenarioResult& result = results.back();
      if (!is_gone) excuse(result, store.presence.absence());
      if (options_.keep) keep_history(store, result);
      std::string text = is_alone() ? "" : (store.target.name + "          ").substr(0, 10);
      text += table_line(result, console_.colours) + '\n';
      const bool with_stories = is_alone() || index == 0 || result.verdict == Verdict::fail;
      text += details_text(result, console_.colours, with_stories);
      progress.ended(store.target.name, text);
      if (!is_gone) is_gone = !is_cleared(store);
    }
  }

  std::vector<LayerCell> measure(std::span<const std::string_view> situations,
                                 std::size_t index,
                                 Progress& progress) {
    const StoreUnderTest& store = ground_.stores[index];
    const auto begins = [&](std::string_view step) { progress.begins(store.target.name, step); };
    const auto done = [&] {
      progress.ended(store.target.name, {});
      return is_cleared(store);
    };
    return measure_layers(situations, run_on(index), begins, done);
  }

  /// The server is not there, or does not let us tidy up: whatever comes next proves nothing.
  static ScenarioResult not_run(const Scenario& scenario) {
    ScenarioResult result;
    result.name = scenario.name;
    result.verdict = Verdict::inconclusive;
    result.reason = "not run: the server went away before";
    return result;
  }

  void plant(std::size_t index, std::vector<CatchResult>& results, Progress& progress) {
    StoreUnderTest& store = ground_.stores[index];
    for (const Scenario* scenario : chosen(options_)) {
      for (const ExpectedCatch& expected : scenario->catches) {
        progress.begins(store.target.name, expected.mutant);
        results.push_back(run_catch(*scenario, expected, run_on(index)));
        results.back().store = store.target.name;
        progress.ended(store.target.name, catch_line(results.back(), console_.colours) + '\n');
        if (!is_cleared(store)) return;
      }
    }
  }

  bool is_cleared(const StoreUnderTest& store) {
    const Status cleared = store.clear();
    if (cleared) return true;
    const MutexLock lock(mutex_);
    if (!first_error_) first_error_ = cleared.error();
    return false;
  }

  [[nodiscard]] std::string header(const Report& report) const {
    std::string text = "mizan prove: ";
    for (const StoreReport& store : report.stores) {
      if (&store != &report.stores.front()) text += "; ";
      text += store.skipped.empty() ? store.target.name + ' ' + store.target.version + " (" +
                                          store.target.durability + ")"
                                    : store.name + " is not there: " + store.skipped;
    }
    if (ground_.lock.kind != LockKind::by_default) text += "; lock " + report.lock;
    return text + ", seed " + std::to_string(run_.seed) + "\n\n";
  }

  const ProveOptions& options_;
  Ground& ground_;
  const RunOptions run_;
  const Console& console_;
  Mutex mutex_;
  std::optional<Error> first_error_;  // Written by the stores' threads, under the mutex.
};

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
  if (const Status writable = check_report_file(options->report_file); !writable) {
    return refuse(console, writable.error(), as_json);
  }
  const auto situations =
      options->layers ? choose_situations(options->scenarios) : std::vector<std::string_view>{};
  if (!situations) return refuse(console, situations.error(), as_json);
  auto ground = open_ground(*options);
  if (!ground) return refuse(console, ground.error(), as_json);
  const std::uint64_t seed = options->seed.value_or(system_random().below(1'000'000'000));
  Proof proof(*options, *ground, run_options(*options, seed), console);
  if (options->layers) return proof.show_layers(*situations);
  return options->self_test ? proof.self_test() : proof.prove();
}

}  // namespace mizan::prover
