// The debit is done and the credit waits for a lock in vain. MariaDB rolls back that one statement
// only and leaves the transaction open: whoever commits it loses the credit.

#include "prover/scenario.hpp"
#include "prover/scenarios/adversary.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <chrono>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::chrono::milliseconds deadline{1'500};

bool says_try_again(Code code) {
  return code == Code::contended || code == Code::unavailable || code == Code::in_progress ||
         code == Code::unknown;
}

void wait_in_vain_with(Run& run, Strategy strategy) {
  auto bench = open_watched_bench(run, strategy, [](Point, const OperationId&) {});
  if (bench == nullptr || !set_up(run, *bench, {"shop", "supplier"}, 100)) return;
  const Operation operation = testkit::transfer("pay", "shop", "supplier", 60);
  {
    auto adversary = Adversary::begin(bench->plain_store());
    if (!adversary) return run.could_not_run(adversary.error());
    if (const Status held = adversary->lock_wallet("supplier"); !held) {
      return run.could_not_run(held.error());
    }
    const auto in_vain = bench->apply_until(ask(1, operation), 0, system_clock().now() + deadline);
    const Code code = code_of_answer(in_vain);
    run.expect(says_try_again(code),
               label(strategy, "while the row was locked: " + std::string(to_string(code))));
    run.sometimes("an operation waited for a lock in vain", says_try_again(code) ? 1 : 0);
  }
  const Code after = code_of_answer(bench->apply(ask(1, operation)));
  run.expect(after == Code::applied || after == Code::already_applied,
             label(strategy, "asked again with the same id: " + std::string(to_string(after))));
  judge_bench(run, label(strategy, "a lock timeout"), *bench);
}

/// BEGIN, debit, credit, COMMIT; the error of the credit is not looked at.
void commit_naively(Run& run) {
  auto sessions = NaiveSessions::open(run, {{"shop", 100}, {"supplier", 0}});
  if (sessions == nullptr) return;
  naive::ServerBank& program = sessions->first();
  naive::ServerBank& other = sessions->second();
  other.run("BEGIN");
  other.set_balance("supplier", "balance");
  program.run(run.engine() == Engine::postgres ? "SET lock_timeout = '200ms'"
                                               : "SET SESSION innodb_lock_wait_timeout = 1");
  program.run("BEGIN");
  program.set_balance("shop", "balance - 60");
  program.set_balance("supplier", "balance + 60");
  const bool timed_out = program.link().failure() == SqlFailure::lock_timeout;
  program.note_entry("pay", "shop", "supplier", 60);
  program.run("COMMIT");
  other.run("ROLLBACK");
  sessions->tell(1, testkit::transfer("pay", "shop", "supplier", 60), true);
  run.sometimes("the careless program waited in vain", timed_out ? 1 : 0);
  run.sometimes("the careless program was caught", sessions->is_caught(run) ? 1 : 0);
  const std::string shop = std::to_string(sessions->observer().read_balance("shop"));
  const std::string supplier = std::to_string(sessions->observer().read_balance("supplier"));
  run.contrast("the error ignored: shop " + shop + ", supplier " + supplier +
               ", and the client was told that 60 of 100 were paid");
}

void run_lock_wait_timeout(Run& run) {
  if (!needs_server(run, "SQLite has one writer at a time, who waits for no row")) return;
  for (const Strategy strategy : run.strategies()) wait_in_vain_with(run, strategy);
  if (!run.is_mutant()) commit_naively(run);
}

}  // namespace

Scenario lock_wait_timeout() {
  return {"lock-wait-timeout",
          "the credit waits for a lock in vain: nothing is applied, the same id later is",
          {{"timeout-commits", "I5"}},
          run_lock_wait_timeout};
}

}  // namespace mizan::prover
