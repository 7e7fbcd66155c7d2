#include "prover/runner.hpp"

#include "mizan/clock.hpp"

#include <chrono>
#include <utility>

namespace mizan::prover {

ScenarioResult run_scenario(const Scenario& scenario, const RunOptions& options) {
  const Instant begin = system_clock().now();
  Run run(std::string(scenario.name), options);
  scenario.run(run);
  ScenarioResult result = run.finish();
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(system_clock().now() - begin);
  return result;
}

CatchResult run_catch(const Scenario& scenario, const ExpectedCatch& expected, RunOptions options) {
  options.mutant = std::string(expected.mutant);
  const ScenarioResult result = run_scenario(scenario, options);
  CatchResult caught;
  caught.scenario = result.name;
  caught.mutant = std::string(expected.mutant);
  caught.expected = std::string(expected.invariant);
  caught.took_ms = result.took.count();
  caught.witness = std::string(to_string(result.verdict)) + ' ' + result.reason;
  caught.skipped = result.verdict == Verdict::skipped;
  for (const auto& [name, checked] : result.invariants) {
    if (checked.violations.empty()) continue;
    caught.violated.push_back(name);
    if (name != expected.invariant) continue;
    caught.caught = result.verdict == Verdict::fail;
    caught.witness = checked.violations.front();
  }
  return caught;
}

}  // namespace mizan::prover
