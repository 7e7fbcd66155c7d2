#pragma once

#include "prover/report/report.hpp"
#include "prover/run.hpp"
#include "prover/scenario.hpp"

namespace mizan::prover {

/// Runs one scenario and takes its time.
[[nodiscard]] ScenarioResult run_scenario(const Scenario& scenario, const RunOptions& options);

/// Runs the scenario with the mutant inside: it must fail, by the expected invariant.
[[nodiscard]] CatchResult run_catch(const Scenario& scenario,
                                    const ExpectedCatch& expected,
                                    RunOptions options);

}  // namespace mizan::prover
