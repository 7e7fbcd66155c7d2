// A wallet of 100 and two withdrawals of 80 at the same moment: one can succeed.

#include "prover/scenario.hpp"
#include "prover/scenarios/withdrawals.hpp"

#include <string>

namespace mizan::prover {

namespace {

void run_overdraw_one(Run& run) {
  const Withdrawals two{100, 2, 80};
  if (run.mutant() == "naive-withdraw") {
    withdraw_naively(run, two);
    return;
  }
  for (const Strategy strategy : run.strategies()) withdraw_in_parallel(run, strategy, two);
  if (run.is_mutant()) return;
  const NaiveResult naive = withdraw_naively(run, two);
  run.sometimes("the naive program lost money", naive.violated ? 1 : 0);
  run.contrast("naive: " + std::to_string(naive.succeeded) + " of 2 succeed, " +
               std::to_string(naive.succeeded * 80) + " left a wallet of 100, it says " +
               std::to_string(naive.balance));
}

}  // namespace

Scenario overdraw_one() {
  return {"overdraw-one",
          "two parallel withdrawals of 80 from 100: exactly one succeeds",
          {{"naive-withdraw", "I3"}, {"guard-ignored", "I3"}},
          run_overdraw_one};
}

}  // namespace mizan::prover
