// The database rolls the whole transaction back to end a deadlock. It is run again as a whole, and
// nothing of it outside.

#include "prover/place.hpp"
#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/adversary.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <memory>
#include <string>

namespace mizan::prover {

namespace {

/// The ledger's transaction has its first lock; the other one waits for that, and holds the second.
struct Turns {
  Signal has_first_lock;
  Signal other_waits;
};

PointHook wait_at(const std::shared_ptr<Turns>& turns, Point wanted) {
  return [turns, wanted](Point point, const OperationId& id) {
    if (point != wanted || id.view() != "pay") return;
    turns->has_first_lock.give();
    turns->other_waits.await(long_patience);
  };
}

/// The other transaction: it has one of the two locks, and goes for the other. True where it was
/// the ledger's that had to give way.
bool cross(Run& run, Bench& bench, Turns& turns, bool rows_first) {
  auto adversary = Adversary::begin(bench.plain_store());
  auto link = SqlLink::open(server_url(run.options().target.nodes.front()));
  if (!adversary || !link) {
    run.could_not_run(adversary ? link.error() : adversary.error());
    return false;
  }
  const Fence mark = testkit::fence("resource", 1'000'000, "adversary");
  const auto lock = [&](bool mark_now) {
    return mark_now ? adversary->take_mark(mark) : adversary->lock_wallet("shop");
  };
  if (const Status first = lock(rows_first); !first) {
    run.could_not_run(first.error());
    return false;
  }
  Code answer = Code::internal;
  bool went_on = false;
  {
    const std::jthread client([&] {
      auto operation = testkit::transfer("pay", {{"shop", "supplier", 5}, {"shop", "landlord", 5}});
      operation.fence("resource", 2, "client");
      answer = code_of_answer(bench.apply(ask(1, operation)));
    });
    run.sometimes("the locks crossed", turns.has_first_lock.await(long_patience) ? 1 : 0);
    const std::jthread other([&] {
      went_on = lock(!rows_first).has_value();
      const Adversary gone = std::move(*adversary);
    });
    pass_deadlock_check(**link);
    turns.other_waits.give();
  }
  run.expect(answer == Code::applied, "a deadlock: answered " + std::string(to_string(answer)));
  return went_on;
}

void victim_with(Run& run, Strategy strategy) {
  const bool rows_first = strategy == Strategy::pessimistic;
  const auto turns = std::make_shared<Turns>();
  auto bench = open_watched_bench(
      run, strategy, wait_at(turns, rows_first ? Point::has_rows : Point::locks_rows));
  if (bench == nullptr || !set_up(run, *bench, {"shop", "supplier", "landlord"}, 100)) return;
  auto begin = testkit::transfer("first", "shop", "supplier", 1);
  begin.fence("resource", 1, "client");
  run.expect(code_of_answer(bench->apply(ask(1, begin))) == Code::applied,
             "not even one operation");
  const bool was_victim = cross(run, *bench, *turns, rows_first);
  run.sometimes("the ledger was the victim of a deadlock", was_victim ? 1 : 0);
  judge_bench(run, label(strategy, "a deadlock's victim"), *bench);
}

/// BEGIN, debit, a row that somebody else holds, credit, COMMIT; nobody looks at errors.
void go_on_naively(Run& run) {
  auto sessions = NaiveSessions::open(run, {{"shop", 100}, {"supplier", 0}, {"audit", 0}});
  if (sessions == nullptr) return;
  naive::ServerBank& program = sessions->first();
  naive::ServerBank& other = sessions->second();
  other.run("BEGIN");
  for (int row = 0; row < 30; ++row) other.note_entry("heavy", {}, {}, 1);
  other.set_balance("audit", "balance");
  program.run("BEGIN");
  program.set_balance("shop", "balance - 60");
  {
    const std::jthread client([&] {
      other.set_balance("shop", "balance");
      other.run("ROLLBACK");
    });
    sessions->await_look(other);
    program.set_balance("audit", "balance");
    program.set_balance("supplier", "balance + 60");
    program.note_entry("pay", "shop", "supplier", 60);
    program.run("COMMIT");
  }
  sessions->tell(1, testkit::transfer("pay", "shop", "supplier", 60), true);
  run.sometimes("the careless program was caught", sessions->is_caught(run) ? 1 : 0);
  const std::string shop = std::to_string(sessions->observer().read_balance("shop"));
  const std::string supplier = std::to_string(sessions->observer().read_balance("supplier"));
  run.contrast("errors ignored: shop " + shop + ", supplier " + supplier +
               ", and the client was told that 60 of 100 were paid");
}

void run_deadlock_victim(Run& run) {
  if (!needs_server(run, "SQLite has one writer at a time, who waits for nobody")) return;
  for (const Strategy strategy : run.strategies()) victim_with(run, strategy);
  if (!run.is_mutant()) go_on_naively(run);
}

}  // namespace

Scenario deadlock_victim() {
  return {"deadlock-victim",
          "a deadlock's victim is run again as a whole",
          {{"goes-on-after-rollback", "I5"}, {"deadlock-surfaces", "expected"}},
          run_deadlock_victim};
}

}  // namespace mizan::prover
