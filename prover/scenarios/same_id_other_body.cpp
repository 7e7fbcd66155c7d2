// One operation id with two contents: the second is refused and changes nothing, also when both
// arrive at once.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <array>
#include <string>

namespace mizan::prover {

namespace {

void expect_code(Run& run, std::string_view what, Code actual, Code expected) {
  run.expect(actual == expected,
             std::string(what) + " was answered " + std::string(to_string(actual)) + ", expected " +
                 std::string(to_string(expected)));
}

void one_after_the_other(Run& run, Bench& bench) {
  const Operation first = testkit::transfer("id-1", "a", "b", 10);
  expect_code(run, "the first content", code_of_answer(bench.apply(ask(1, first))), Code::applied);
  const std::array<Operation, 4> others{
      testkit::transfer("id-1", "a", "b", 11).build(),
      testkit::withdraw("id-1", "a", 10).build(),
      testkit::transfer("id-1", "b", "a", 10).build(),
      testkit::transfer("id-1", "a", "b", 10).with("note", "other").build()};
  for (const Operation& other : others) {
    expect_code(run,
                "another content",
                code_of_answer(bench.apply(ask(1, other), 1)),
                Code::operation_mismatch);
  }
  expect_code(run,
              "the first content again",
              code_of_answer(bench.apply(ask(1, first))),
              Code::already_applied);
}

/// Also where the money is not there: the id is looked at before the money.
void when_the_money_is_gone(Run& run, Bench& bench) {
  const Operation rest = testkit::withdraw("id-2", "a", 90);
  expect_code(run, "the rest", code_of_answer(bench.apply(ask(1, rest))), Code::applied);
  expect_code(
      run, "the rest again", code_of_answer(bench.apply(ask(1, rest), 1)), Code::already_applied);
  expect_code(run,
              "another amount, unaffordable",
              code_of_answer(bench.apply(ask(1, testkit::withdraw("id-2", "a", 91)))),
              Code::operation_mismatch);
}

void both_at_once(Run& run, Bench& bench, std::size_t round) {
  const std::string id = "both-" + std::to_string(round);
  std::array<Code, 2> codes{};
  in_parallel(2, [&](std::size_t index) {
    const Operation deposit = testkit::deposit(id, "b", static_cast<std::int64_t>(index) + 1);
    codes.at(index) = code_of_answer(bench.apply(ask(index + 1, deposit), index));
  });
  const bool one_each = (codes[0] == Code::applied && codes[1] == Code::operation_mismatch) ||
                        (codes[1] == Code::applied && codes[0] == Code::operation_mismatch);
  run.expect(one_each,
             "two contents at once: " + std::string(to_string(codes[0])) + " and " +
                 std::string(to_string(codes[1])));
  run.sometimes("a mismatch was refused", one_each ? 1 : 0);
}

void run_same_id_other_body(Run& run) {
  for (const Strategy strategy : run.strategies()) {
    auto bench = open_bench(run, strategy, 2);
    if (bench == nullptr || !set_up(run, *bench, {"a", "b"}, 100)) return;
    one_after_the_other(run, *bench);
    when_the_money_is_gone(run, *bench);
    for (std::size_t round = 0; round < 10; ++round) both_at_once(run, *bench, round);
    judge_bench(run, to_string(strategy), *bench);
  }
  run.contrast("without the fingerprint the second amount is swallowed or applied");
}

}  // namespace

Scenario same_id_other_body() {
  return {"same-id-other-body",
          "one operation id with two contents: the second is refused",
          {{"claim-forgets", "I6"}},
          run_same_id_other_body};
}

}  // namespace mizan::prover
