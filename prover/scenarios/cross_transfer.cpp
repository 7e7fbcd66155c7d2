// A pays B while B pays A, at full rate. Whoever locks rows as the request names them runs into
// deadlocks; in one order for all there are none.

#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::size_t clients = 8;
constexpr std::size_t transfers = 15;
constexpr std::array<std::string_view, 2> wallets{"a", "b"};

/// From a to b by those of even number, back by the others.
Operation crossing(const std::string& id, std::size_t client) {
  return testkit::transfer(id, wallets.at(client % 2), wallets.at((client + 1) % 2), 1);
}

void cross_with(Run& run, Strategy strategy) {
  const auto both = std::make_shared<Rendezvous>(2);
  auto bench = open_watched_bench(run, strategy, [both](Point point, const OperationId& id) {
    if (point == Point::locks_rows && id.view().starts_with("meet-")) both->meet(patience);
  });
  if (bench == nullptr || !set_up(run, *bench, {"a", "b"}, 1'000)) return;
  run.expect(
      code_of_answer(bench->apply(ask(0, testkit::deposit("fund-b", "b", 1'000)))) == Code::applied,
      "the second wallet could not be funded");
  for (const std::string_view wallet : wallets) warm(*bench, wallet);
  std::atomic<std::size_t> applied{0};
  const auto pay = [&](const std::string& id, std::size_t client) {
    const auto answer = bench->apply(ask(client + 1, crossing(id, client)), client % 2);
    if (code_of_answer(answer) == Code::applied) ++applied;
  };
  in_parallel(2, [&](std::size_t client) { pay("meet-" + std::to_string(client), client); });
  std::size_t due = 2;
  if (!run.is_mutant()) {
    in_parallel(clients, [&](std::size_t client) {
      for (std::size_t each = 0; each < transfers; ++each) {
        pay("pay-" + std::to_string(client) + "-" + std::to_string(each), client);
      }
    });
    due += clients * transfers;
  }
  judge_bench(run, label(strategy, "crossing transfers"), *bench);
  run.expect(
      applied == due,
      label(strategy, std::to_string(applied) + " of " + std::to_string(due) + " were applied"));
  const std::uint64_t deadlocks = bench->met().deadlocks;
  run.expect(deadlocks == 0, label(strategy, std::to_string(deadlocks) + " deadlocks were met"));
}

/// Both lock what they pay from, then what they pay to; whoever gets an error gives up.
void cross_naively(Run& run) {
  auto sessions = NaiveSessions::open(run, {{"a", 100}, {"b", 100}});
  if (sessions == nullptr) return;
  naive::ServerBank& first = sessions->first();
  naive::ServerBank& second = sessions->second();
  first.run("BEGIN");
  second.run("BEGIN");
  first.set_balance("a", "balance - 1");
  second.set_balance("b", "balance - 1");
  bool first_done = false;
  bool second_done = false;
  {
    const std::jthread other([&] { first_done = first.set_balance("b", "balance + 1"); });
    static_cast<void>(sessions->await_waiting(first));
    second_done = second.set_balance("a", "balance + 1");
    second.run(second_done ? "COMMIT" : "ROLLBACK");
  }
  first.run(first_done ? "COMMIT" : "ROLLBACK");
  const bool deadlocked = first.link().failure() == SqlFailure::deadlock ||
                          second.link().failure() == SqlFailure::deadlock ||
                          first_done != second_done;
  run.sometimes("the careless program ran into a deadlock", deadlocked ? 1 : 0);
  run.contrast("locked as the request names them: of two crossing payments one ends in a deadlock");
}

void run_cross_transfer(Run& run) {
  if (!needs_server(run, "SQLite has one writer at a time, who waits for nobody")) return;
  for (const Strategy strategy : run.strategies()) cross_with(run, strategy);
  if (!run.is_mutant()) cross_naively(run);
}

}  // namespace

Scenario cross_transfer() {
  return {"cross-transfer",
          "A pays B while B pays A at full rate: all applied, no deadlock",
          {{"locks-unordered", "expected"}},
          run_cross_transfer};
}

}  // namespace mizan::prover
