// A transfer that locks its source only, but compares its token with the destination's mark too:
// when that mark is higher the credit matches no row, and the money is gone without a word. Beside
// it ours, which fences what it locked and nothing else.

#include "prover/naive/bank.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <string>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::int64_t merchant_token = 9'000;

/// Alice's lock has given 4 tokens so far, the busy merchant's 9,000.
std::int64_t as_written(Run& run, Story& story, bool& violated) {
  naive::Bank bank(run.fresh_path(".naive.db"));
  bank.create_tables();
  bank.create_wallet("alice", 100);
  bank.create_wallet("merchant", 0);
  bank.set_token("alice", 4);
  bank.set_token("merchant", merchant_token);
  History history;
  for (const auto& request : {ask(0, testkit::deposit("fund-alice", "alice", 100)),
                              ask(1, testkit::transfer("buy", "alice", "merchant", 60))}) {
    history.end(history.invoke(request), Result<Outcome>(Outcome{Applied{}}));
  }
  story.moments.push_back({"P1", "locks alice: token 5", false});
  const bool done = bank.transfer_as_written("buy", "alice", "merchant", 60, 5);
  const std::int64_t alice = bank.read_balance("alice");
  const std::int64_t merchant = bank.read_balance("merchant");
  story.moments.push_back(
      {"database",
       "debit alice where mark 4 < 5: 1 row, alice has " + std::to_string(alice),
       false});
  story.moments.push_back(
      {"database",
       "credit merchant where mark 9000 < 5: 0 rows, merchant has " + std::to_string(merchant),
       true});
  story.moments.push_back({"database", "COMMIT", false});
  story.moments.push_back({"P1", done ? "reports success" : "reports a failure", done});
  Evidence evidence;
  evidence.calls = history.calls();
  for (Call& call : evidence.calls) call.receipt.reset();
  evidence.image = bank.image(system_clock().wall_now());
  violated = !check_conservation(evidence).violations.empty();
  if (run.is_mutant()) run.judge("as written", evidence);
  return 100 - alice - merchant;
}

void expect_code(Run& run, std::string_view what, const Result<Outcome>& answer, Code expected) {
  const Code actual = code_of_answer(answer);
  run.expect(actual == expected,
             std::string(what) + " was answered " + std::string(to_string(actual)) + ", expected " +
                 std::string(to_string(expected)));
}

/// The same transfer in ours: fenced on what it locked.
void as_ours(Run& run, Strategy strategy, Story* story) {
  auto bench = open_bench(run, strategy);
  if (bench == nullptr || !set_up(run, *bench, {"alice", "merchant"}, 100)) return;
  const auto fenced =
      [](testkit::OperationBuilder builder, std::string_view resource, std::int64_t token) {
        History::Request request = ask(1, builder.fence(resource, token, "holder"));
        request.held = request.operation.fences.front();
        return request;
      };
  using testkit::deposit;
  using testkit::transfer;
  expect_code(run,
              "alice's fourth holder",
              bench->apply(fenced(deposit("by-4", "alice", 1), "wallet:alice", 4)),
              Code::applied);
  expect_code(
      run,
      "the merchant's 9000th holder",
      bench->apply(fenced(deposit("by-9000", "merchant", 1), "wallet:merchant", merchant_token)),
      Code::applied);
  expect_code(run,
              "alice's fifth holder",
              bench->apply(fenced(transfer("buy", "alice", "merchant", 60), "wallet:alice", 5)),
              Code::applied);
  expect_code(run,
              "alice's fourth holder, late",
              bench->apply(fenced(transfer("late", "alice", "merchant", 1), "wallet:alice", 4)),
              Code::stale_fence);
  expect_code(run,
              "the merchant's 9001st holder",
              bench->apply(
                  fenced(deposit("by-9001", "merchant", 1), "wallet:merchant", merchant_token + 1)),
              Code::applied);
  const auto reading = read_group(bench->store(), {{WalletId{"alice"}, WalletId{"merchant"}}}, 103);
  if (!reading) return run.could_not_run(reading.error());
  const std::string alice = std::to_string(reading->lines.at(0).balance.value());
  const std::string merchant = std::to_string(reading->lines.at(1).balance.value());
  run.expect(alice == "41" && merchant == "62", "alice has " + alice + ", merchant " + merchant);
  judge_bench(run, to_string(strategy), *bench, {*reading});
  if (story == nullptr) return;
  story->moments.push_back({"P1", "locks alice: token 5 of wallet:alice", false});
  story->moments.push_back({"ledger", "mark of wallet:alice 4 < 5: goes on", false});
  story->moments.push_back({"ledger", "debit alice: 1 row; credit merchant: 1 row", false});
  story->moments.push_back(
      {"ledger", "applied; alice has " + alice + ", merchant " + merchant, false});
  story->moments.push_back({"P0", "comes late with token 4 of wallet:alice", false});
  story->moments.push_back(
      {"ledger", "stale_fence; the merchant's mark was never looked at", false});
}

void run_article(Run& run) {
  Story written{"the crossed token, as it is often written", {"P1", "database"}, {}};
  bool violated = false;
  if (run.mutant() == "naive-article") {
    static_cast<void>(as_written(run, written, violated));
    return;
  }
  Story ours{"the same transfer in Mizan", {"P0", "P1", "ledger"}, {}};
  bool told = false;
  for (const Strategy strategy : run.strategies()) {
    as_ours(run, strategy, told ? nullptr : &ours);
    told = true;
  }
  if (run.is_mutant()) return;
  const std::int64_t lost = as_written(run, written, violated);
  run.sometimes("the crossed token lost money", violated ? 1 : 0);
  run.contrast("as written: success reported, " + std::to_string(lost) + " of 100 gone");
  run.tell(std::move(written));
  run.tell(std::move(ours));
}

}  // namespace

Scenario article_as_written() {
  return {"article-as-written",
          "a token compared with the mark of another lock loses the credit; ours does not",
          {{"naive-article", "I1"}, {"leg-dropped", "I5"}, {"fence-not-advanced", "I8"}},
          run_article};
}

}  // namespace mizan::prover
