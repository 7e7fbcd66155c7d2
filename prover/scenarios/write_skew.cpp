// A rule over two wallets: one may be emptied only while the other one is full. Two transactions
// that each read both and write one break it, although no row is written twice.

#include "prover/rendezvous.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/naive_sessions.hpp"

#include <array>
#include <memory>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::array<std::string_view, 2> wallets{"a", "b"};

/// Empties one wallet on condition that the other one is full.
Operation empty_one(const std::string& id, std::size_t index) {
  Condition other_is_full;
  other_is_full.wallet = WalletId{wallets.at((index + 1) % 2)};
  other_is_full.min_balance = MinorUnits{60};
  auto operation = testkit::withdraw(id, wallets.at(index), 60);
  operation.condition(other_is_full);
  return operation;
}

void skew_with(Run& run, Strategy strategy) {
  // Each has decided before either locks, and both would have their locks before either writes.
  const auto decided = std::make_shared<Rendezvous>(2);
  const auto locked = std::make_shared<Rendezvous>(2);
  const auto hook = [decided, locked](Point point, const OperationId& id) {
    if (!id.view().starts_with("empty-")) return;
    if (point == Point::locks_rows) decided->meet(patience);
    if (point == Point::has_rows) locked->meet(patience);
  };
  auto bench = open_watched_bench(run, strategy, hook);
  if (bench == nullptr || !set_up(run, *bench, {"a", "b"}, 60)) return;
  run.expect(
      code_of_answer(bench->apply(ask(0, testkit::deposit("fund-b", "b", 60)))) == Code::applied,
      "the second wallet could not be funded");
  for (const std::string_view wallet : wallets) warm(*bench, wallet);
  std::array<Code, 2> codes{};
  in_parallel(2, [&](std::size_t index) {
    const std::string id = "empty-" + std::to_string(index);
    codes.at(index) = code_of_answer(bench->apply(ask(index + 1, empty_one(id, index)), index));
  });
  judge_bench(run, label(strategy, "a rule over two wallets"), *bench);
  const bool one = (codes[0] == Code::applied && codes[1] == Code::condition_failed) ||
                   (codes[1] == Code::applied && codes[0] == Code::condition_failed);
  run.expect(one,
             label(strategy,
                   "of two that need the other wallet full: " + std::string(to_string(codes[0])) +
                       " and " + std::string(to_string(codes[1]))));
  run.sometimes("one was told that its condition no longer holds",
                codes[0] == Code::condition_failed || codes[1] == Code::condition_failed ? 1 : 0);
}

/// BEGIN, read both, write one, COMMIT.
void skew_naively(Run& run) {
  auto sessions = NaiveSessions::open(run, {{"a", 60}, {"b", 60}});
  if (sessions == nullptr) return;
  const std::array<naive::ServerBank*, 2> programs{&sessions->first(), &sessions->second()};
  std::array<bool, 2> may{};
  for (std::size_t index = 0; index < 2; ++index) {
    programs.at(index)->run("BEGIN");
    may.at(index) = programs.at(index)->read_balance(wallets.at((index + 1) % 2)) >= 60;
  }
  for (std::size_t index = 0; index < 2; ++index) {
    if (may.at(index)) programs.at(index)->set_balance(wallets.at(index), "balance - 60");
    programs.at(index)->run("COMMIT");
  }
  const std::int64_t left =
      sessions->observer().read_balance("a") + sessions->observer().read_balance("b");
  run.sometimes("the careless program broke the rule", left == 0 ? 1 : 0);
  run.contrast("naive: both found the other wallet full and emptied theirs, " +
               std::to_string(left) + " of 120 is left, at the server's default isolation");
}

void run_write_skew(Run& run) {
  if (!needs_server(run, "SQLite has one writer at a time, who reads the latest state")) return;
  for (const Strategy strategy : run.strategies()) skew_with(run, strategy);
  if (!run.is_mutant()) skew_naively(run);
}

}  // namespace

Scenario write_skew() {
  return {"write-skew",
          "a rule over two wallets, checked by two that each write one: one is refused",
          {{"reads-unguarded", "expected"}},
          run_write_skew};
}

}  // namespace mizan::prover
