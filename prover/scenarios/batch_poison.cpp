// A batch of 500 with one invalid, one repeated and one unaffordable operation: 497 are applied,
// one is replayed, two are refused with the precise reason.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <string>
#include <vector>

namespace mizan::prover {

namespace {

constexpr std::size_t size = 500;
constexpr std::size_t invalid_at = 100;
constexpr std::size_t repeat_at = 250;
constexpr std::size_t overdraft_at = 400;
constexpr std::size_t repeated = 200;

std::string name_of(std::size_t index) {
  return "item-" + std::to_string(index);
}

/// Most items touch the same two wallets, so that a batch that collapses rows loses money.
std::vector<Operation> poisoned_batch() {
  std::vector<Operation> batch;
  for (std::size_t index = 0; index < size; ++index) {
    const auto amount = static_cast<std::int64_t>(1 + index % 3);
    batch.push_back(testkit::transfer(name_of(index), "shop", "supplier", amount));
  }
  batch[invalid_at] = testkit::transfer(name_of(invalid_at), "shop", "supplier", 0);
  batch[repeat_at] = batch[repeated];
  batch[overdraft_at] = testkit::transfer(name_of(overdraft_at), "shop", "supplier", 1'000'000);
  return batch;
}

Code expected_code(std::size_t index) {
  if (index == invalid_at) return Code::invalid_amount;
  if (index == repeat_at) return Code::already_applied;
  if (index == overdraft_at) return Code::insufficient_funds;
  return Code::applied;
}

void send_batch(Run& run, Bench& bench, std::string_view what, bool again) {
  const std::vector<Operation> batch = poisoned_batch();
  std::vector<std::size_t> calls;
  for (const Operation& operation : batch)
    calls.push_back(bench.history().invoke(ask(1, operation)));
  const auto answers = bench.ledger().apply_batch(batch);
  run.expect(answers.size() == batch.size(), std::string(what) + ": not one answer per item");
  for (std::size_t index = 0; index < answers.size(); ++index) {
    bench.history().end(calls[index], answers[index]);
    Code expected = expected_code(index);
    if (again && expected == Code::applied) expected = Code::already_applied;
    const Code actual = code_of_answer(answers[index]);
    run.expect(actual == expected,
               std::string(what) + ": " + name_of(index) + " was answered " +
                   std::string(to_string(actual)) + ", expected " +
                   std::string(to_string(expected)));
  }
}

void run_batch_poison(Run& run) {
  for (const Strategy strategy : run.strategies()) {
    auto bench = open_bench(run, strategy);
    if (bench == nullptr || !set_up(run, *bench, {"shop", "supplier"}, 10'000)) return;
    send_batch(run, *bench, to_string(strategy), false);
    // Before the batch comes again: a repeat could make good what the first one lost.
    judge_bench(run, label(strategy, "sent once"), *bench);
    send_batch(run, *bench, label(strategy, "sent again"), true);
    judge_bench(run, to_string(strategy), *bench);
  }
  run.sometimes("a batch had a refusal and went on", 2);
  run.contrast("all-or-nothing would lose 497; a collapsed batch loses all but one per wallet");
}

}  // namespace

Scenario batch_poison() {
  return {"batch-poison",
          "a batch of 500 with three poisoned items: 497 applied, 1 replayed, 2 refused",
          {{"batch-collapses", "I5"}, {"leg-dropped", "I5"}},
          run_batch_poison};
}

}  // namespace mizan::prover
