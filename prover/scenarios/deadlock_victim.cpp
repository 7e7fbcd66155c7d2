// The database rolls the whole transaction back to end a deadlock. It is run again as a whole, and
// nothing of it outside.

#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/adversary.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::size_t rounds = 6;
constexpr std::chrono::milliseconds head_start{150};  // So that the ledger is the first to wait.

/// When the ledger's transaction of a round has its first lock and goes for the second.
using Signals = std::array<Signal, rounds>;

std::string operation_of(std::size_t round) {
  return "pay-" + std::to_string(round);
}

PointHook give_at(const std::shared_ptr<Signals>& signals, Point wanted) {
  return [signals, wanted](Point point, const OperationId& id) {
    if (point != wanted) return;
    for (std::size_t round = 0; round < rounds; ++round) {
      if (id.view() == operation_of(round)) signals->at(round).give();
    }
  };
}

struct Provoked {
  Code answer = Code::internal;
  bool was_victim = false;  ///< The ledger's transaction: the adversary went on.
};

/// One payment of two legs whose locks and the adversary's cross.
Provoked provoke(
    Run& run, Bench& bench, Signal& has_first_lock, std::size_t round, bool rows_first) {
  auto adversary = Adversary::begin(bench.plain_store());
  if (!adversary) {
    run.could_not_run(adversary.error());
    return {};
  }
  const Fence mark = testkit::fence("resource", 1'000'000, "adversary");
  const auto lock = [&](bool mark_now) {
    return mark_now ? adversary->take_mark(mark) : adversary->lock_wallet("shop");
  };
  if (const Status first = lock(rows_first); !first) {
    run.could_not_run(first.error());
    return {};
  }
  Provoked provoked;
  {
    const std::jthread client([&] {
      auto operation = testkit::transfer(operation_of(round),
                                         {{"shop", "supplier", 5}, {"shop", "landlord", 5}});
      operation.fence("resource", static_cast<std::int64_t>(round) + 2, "client");
      provoked.answer = code_of_answer(bench.apply(ask(1, operation)));
    });
    static_cast<void>(has_first_lock.await(long_patience));
    system_clock().sleep_until(system_clock().now() + head_start);
    provoked.was_victim = lock(!rows_first).has_value();
    const Adversary gone = std::move(*adversary);
  }
  return provoked;
}

void victim_with(Run& run, Strategy strategy) {
  const bool rows_first = strategy == Strategy::pessimistic;
  const auto signals = std::make_shared<Signals>();
  auto bench = open_watched_bench(
      run, strategy, give_at(signals, rows_first ? Point::has_rows : Point::locks_rows));
  if (bench == nullptr || !set_up(run, *bench, {"shop", "supplier", "landlord"}, 100)) return;
  auto begin = testkit::transfer("first", "shop", "supplier", 1);
  begin.fence("resource", 1, "client");
  run.expect(code_of_answer(bench->apply(ask(1, begin))) == Code::applied, "not even one payment");
  for (std::size_t round = 0; round < rounds; ++round) {
    const Provoked provoked = provoke(run, *bench, signals->at(round), round, rows_first);
    run.expect(provoked.answer == Code::applied,
               label(strategy, "a deadlock: answered " + std::string(to_string(provoked.answer))));
    if (provoked.was_victim) break;
  }
  judge_bench(run, label(strategy, "a deadlock's victim"), *bench);
  run.sometimes("the ledger was the victim of a deadlock", bench->met().deadlocks);
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
      program.set_balance("audit", "balance");
      program.set_balance("supplier", "balance + 60");
      program.note_entry("pay", "shop", "supplier", 60);
      program.run("COMMIT");
    });
    static_cast<void>(sessions->await_waiting(program));
    other.set_balance("shop", "balance");
    other.run("ROLLBACK");
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
