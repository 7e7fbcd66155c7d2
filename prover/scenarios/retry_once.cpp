// One withdrawal sent ten times at once under one operation id, and once more later: it is applied
// once, and everybody gets the same receipt.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <array>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::size_t parallel = 10;

void retry_with(Run& run, Strategy strategy) {
  auto bench = open_bench(run, strategy, 2);
  if (bench == nullptr || !set_up(run, *bench, {"w"}, 100)) return;
  const Operation operation = testkit::withdraw("once", "w", 10);
  std::array<Code, parallel + 1> codes{};
  in_parallel(parallel, [&](std::size_t index) {
    codes.at(index) = code_of_answer(bench->apply(ask(index + 1, operation), index % 2));
  });
  codes.at(parallel) = code_of_answer(bench->apply(ask(0, operation)));
  judge_bench(run, label(strategy, "ten repeats"), *bench);
  std::size_t applied = 0;
  std::size_t replayed = 0;
  for (const Code code : codes) {
    applied += code == Code::applied ? 1U : 0U;
    replayed += code == Code::already_applied ? 1U : 0U;
  }
  run.expect(applied == 1 && replayed == parallel,
             label(strategy, "of eleven equal requests ") + std::to_string(applied) +
                 " were applied and " + std::to_string(replayed) + " replayed");
  run.sometimes("a repeat was replayed", replayed);
}

void run_retry_once(Run& run) {
  for (const Strategy strategy : run.strategies()) retry_with(run, strategy);
  run.contrast("without the operation id each of the eleven would be a withdrawal");
}

}  // namespace

Scenario retry_once() {
  return {"retry-once",
          "one operation id sent ten times at once and once later: applied once",
          {{"claim-forgets", "I6"}, {"receipt-altered", "I7"}},
          run_retry_once};
}

}  // namespace mizan::prover
