// The process that owns the store is killed after COMMIT and before the answer. The client knows
// nothing; after reopening its retry gets the original receipt. What was acknowledged is there.

#include "prover/scenario.hpp"
#include "prover/scenarios/crashes.hpp"

#include <string>

namespace mizan::prover {

namespace {

void crash_with(Run& run, Strategy strategy) {
  CrashSite site(run, strategy);
  if (!site.start() || !site.set_up({"shop", "supplier"})) return;
  const Operation before = testkit::transfer("before", "shop", "supplier", 10);
  const Operation lost = testkit::transfer("lost-answer", "shop", "supplier", 20);
  const Code first = code_of_answer(site.crew().apply(ask(1, before)));
  run.expect(first == Code::applied, "the first transfer was refused");
  const bool reached = site.kill_at("after_commit", ask(1, lost));
  run.sometimes("killed after COMMIT", reached ? 1 : 0);
  if (!site.start()) return;
  for (const Operation& operation : {lost, before, lost}) {
    const Code again = code_of_answer(site.crew().apply(ask(1, operation)));
    run.expect(again == Code::already_applied,
               label(strategy, operation.id.str() + " was answered ") +
                   std::string(to_string(again)) + " after the crash");
  }
  const Code next =
      code_of_answer(site.crew().apply(ask(1, testkit::transfer("next", "shop", "supplier", 5))));
  run.expect(next == Code::applied, "the ledger does not go on after the crash");
  site.kill();
  site.judge(to_string(strategy), 100, {WalletId{"shop"}, WalletId{"supplier"}});
}

/// The mutant acknowledges before it commits; the crash comes after the acknowledgement.
void crash_after_acknowledgement(Run& run) {
  CrashSite site(run, Strategy::batched);
  if (!site.start() || !site.set_up({"shop", "supplier"})) return;
  const Operation last = testkit::transfer("last", "shop", "supplier", 10);
  run.expect(code_of_answer(site.crew().apply(ask(1, last))) == Code::applied, "it was refused");
  site.kill();
  site.judge("after the crash", 100, {WalletId{"shop"}, WalletId{"supplier"}});
}

void run_crash_after_commit(Run& run) {
  if (run.mutant() == "ack-before-commit") return crash_after_acknowledgement(run);
  for (const Strategy strategy : run.strategies()) crash_with(run, strategy);
  run.contrast("without the operation id the retry would pay a second time");
}

}  // namespace

Scenario crash_after_commit() {
  return {"crash-after-commit",
          "kill -9 after COMMIT and before the answer: the retry gets the original receipt",
          {{"ack-before-commit", "I11"}, {"claim-forgets", "I6"}},
          run_crash_after_commit};
}

}  // namespace mizan::prover
