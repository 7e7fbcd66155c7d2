// A wallet of 100 and twenty (then thirty) withdrawals of 10 at the same moment: exactly ten can
// succeed.

#include "prover/scenario.hpp"
#include "prover/scenarios/withdrawals.hpp"

#include <string>

namespace mizan::prover {

namespace {

void run_twenty_tens(Run& run) {
  const Withdrawals twenty{100, 20, 10};
  if (run.mutant() == "naive-withdraw") {
    withdraw_naively(run, twenty);
    return;
  }
  for (const Strategy strategy : run.strategies()) {
    withdraw_in_parallel(run, strategy, twenty);
    withdraw_in_parallel(run, strategy, {100, 30, 10});
  }
  if (run.is_mutant()) return;
  const NaiveResult naive = withdraw_naively(run, twenty);
  run.sometimes("the naive program lost money", naive.violated ? 1 : 0);
  run.contrast("naive: " + std::to_string(naive.succeeded) + " of 20 succeed, " +
               std::to_string(naive.succeeded * 10) + " left a wallet of 100, it says " +
               std::to_string(naive.balance));
}

}  // namespace

Scenario twenty_tens() {
  return {"twenty-tens",
          "twenty and thirty parallel withdrawals of 10 from 100: exactly ten succeed",
          {{"naive-withdraw", "I2"}, {"guard-ignored", "I3"}},
          run_twenty_tens};
}

}  // namespace mizan::prover
