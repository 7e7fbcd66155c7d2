#include "prover/layers.hpp"

#include "base/text.hpp"
#include "prover/runner.hpp"
#include "prover/scenario.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <system_error>
#include <utility>

namespace mizan::prover {

namespace {

/// How a layer is switched off: by the mutant that does without it, or by a lock that is none.
struct Switch {
  std::string_view layer;
  std::string_view mutant;  ///< Empty: nothing, or the lock.
};

constexpr std::string_view lock_layer = "lock";

constexpr std::array<Switch, 9> switches{{{"nothing", ""},
                                          {lock_layer, ""},
                                          {"fence", "fence-not-advanced"},
                                          {"operation id", "claim-forgets"},
                                          {"guarded write", "guard-ignored"},
                                          {"one transaction", "commit-in-the-middle"},
                                          {"retry", "deadlock-surfaces"},
                                          {"lock order", "locks-unordered"},
                                          {"read lock", "reads-unguarded"}}};

/// Those in which a layer has work to do.
constexpr std::array<std::string_view, 12> situations{"twenty-tens",
                                                      "overdraw-one",
                                                      "paused-holder",
                                                      "retry-once",
                                                      "crash-between-legs",
                                                      "crash-after-commit",
                                                      "redis-failover",
                                                      "lock-renew-stall",
                                                      "cross-transfer",
                                                      "deadlock-victim",
                                                      "stale-snapshot",
                                                      "write-skew"};

/// I3 before I12, and what the scenario itself demands behind all of them.
std::uint64_t rank(std::string_view invariant) {
  constexpr std::uint64_t last = 1'000;
  return invariant.starts_with('I') ? parse_unsigned(invariant.substr(1)).value_or(last) : last;
}

/// Of all that was violated the invariant that the scenario names for the mutant, else the first.
std::string what_went_wrong(const Scenario& scenario,
                            const ScenarioResult& result,
                            std::string_view mutant) {
  std::string_view named;
  for (const ExpectedCatch& each : scenario.catches) {
    if (each.mutant == mutant) named = each.invariant;
  }
  const CheckResult* telling = nullptr;
  for (const auto& [name, checked] : result.invariants) {
    if (checked.violations.empty()) continue;
    const bool is_named = name == named;
    const bool is_earlier = telling == nullptr || rank(name) < rank(telling->invariant);
    if (is_named || (is_earlier && (telling == nullptr || telling->invariant != named))) {
      telling = &checked;
    }
  }
  return telling == nullptr ? result.reason
                            : telling->invariant + ": " + telling->violations.front();
}

/// Two runs of one scenario make files of the same names, and their paths are not to get long: a
/// socket's takes 107 bytes.
void separate(RunOptions& options) {
  static std::atomic<std::size_t> runs{0};
  options.target.directory /= std::to_string(++runs);
  std::error_code failed;
  std::filesystem::create_directories(options.target.directory, failed);
}

/// The product as it is takes the one strategy that mutants take.
LayerCell measure(std::string_view situation, const Switch& off, RunOptions options) {
  options.mutant = std::string(off.mutant);
  options.strategies = {Strategy::batched};
  separate(options);
  if (off.layer == lock_layer) options.lock.kind = LockKind::none;
  const Scenario& scenario = *find_scenario(situation);
  const ScenarioResult result = run_scenario(scenario, options);
  LayerCell cell{std::string(situation), std::string(off.layer), "", true};
  switch (result.verdict) {
    case Verdict::pass:
      cell.effect = "right";
      break;
    case Verdict::skipped:
      cell.effect = "does not arise";
      break;
    case Verdict::fail:
      cell.is_right = false;
      cell.effect = "FAIL " + what_went_wrong(scenario, result, off.mutant);
      break;
    case Verdict::inconclusive:
    case Verdict::could_not_run:
      cell.is_right = false;
      cell.effect = std::string(to_string(result.verdict)) + ' ' + result.reason;
      break;
  }
  return cell;
}

}  // namespace

Result<std::vector<std::string_view>> choose_situations(const std::vector<std::string>& wanted) {
  std::vector<std::string_view> chosen(situations.begin(), situations.end());
  if (wanted.empty()) return chosen;
  const auto is_wanted = [&wanted](std::string_view situation) {
    return std::find(wanted.begin(), wanted.end(), situation) != wanted.end();
  };
  std::erase_if(chosen, [&is_wanted](std::string_view each) { return !is_wanted(each); });
  if (chosen.size() == wanted.size()) return chosen;
  std::string detail = "--layers is about";
  for (const std::string_view each : situations) detail.append(" ").append(each);
  return invalid_request("mizan prove", detail);
}

std::size_t layer_steps(std::span<const std::string_view> chosen) {
  return switches.size() * chosen.size();
}

std::vector<LayerCell> measure_layers(std::span<const std::string_view> chosen,
                                      const RunOptions& options,
                                      const std::function<void(std::string_view step)>& on_step,
                                      const std::function<bool()>& on_done) {
  std::vector<LayerCell> cells;
  for (const std::string_view situation : chosen) {
    for (const Switch& off : switches) {
      on_step(situation);
      cells.push_back(measure(situation, off, options));
      if (!on_done()) return cells;
    }
  }
  return cells;
}

}  // namespace mizan::prover
