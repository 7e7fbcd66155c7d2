// The lock lies. A holder is stopped past its time to live, a second one acquires and pays, the
// first wakes up and pays too. Then the same, and three situations beside it, with each layer
// switched off in turn.

#include "prover/naive/bank.hpp"
#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/scenarios/situations.hpp"

#include <array>
#include <chrono>
#include <string>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::string_view paused_same = "a paused holder repeats the operation";
constexpr std::string_view paused_other = "a paused holder brings another operation";
constexpr std::string_view at_once = "two withdrawals of 80 from 100";
constexpr std::string_view late = "a duplicate under a newer token";

void expect_codes(Run& run, std::string_view what, const Effect& effect, Code first) {
  if (!effect.ran) return;
  run.expect(effect.is_right, std::string(what) + ": " + effect.text);
  run.expect(effect.first == first && effect.second == Code::applied,
             std::string(what) + ": the first holder was answered " +
                 std::string(to_string(effect.first)) + ", expected " +
                 std::string(to_string(first)));
}

/// The two endings of the story, with everything on (or with a mutant inside).
void complete_product(Run& run) {
  Stage stage(run, Layer::none);
  if (!stage.open(run.mutant())) return;
  Story same{"the lock lies: the same operation", {"P1", "P2", "lock", "ledger"}, {}};
  const Effect same_effect = paused_holder_settles(stage, true, &same);
  Story other{"the lock lies: another operation", {"P1", "P2", "lock", "ledger"}, {}};
  const Effect other_effect = paused_holder_settles(stage, false, &other);
  expect_codes(run, paused_same, same_effect, Code::already_applied);
  expect_codes(run, paused_other, other_effect, Code::stale_fence);
  run.sometimes("a stale holder was fenced", other_effect.first == Code::stale_fence ? 1 : 0);
  run.sometimes("a stale holder was replayed", same_effect.first == Code::already_applied ? 1 : 0);
  run.tell(std::move(same));
  run.tell(std::move(other));
  const Effect two = two_at_once(stage);
  const Effect duplicate = late_duplicate(stage);
  for (const auto& [situation, effect] : {std::pair(paused_same, same_effect),
                                          std::pair(paused_other, other_effect),
                                          std::pair(at_once, two),
                                          std::pair(late, duplicate)}) {
    run.layer({std::string(situation), "nothing", effect.text, effect.is_right});
    if (effect.ran) run.expect(effect.is_right, std::string(situation) + ": " + effect.text);
  }
  const auto evidence = stage.close();
  if (!evidence) return run.could_not_run(evidence.error());
  run.judge("complete", *evidence);
}

/// Which situation each layer is there for: switched off, exactly this one goes wrong.
std::string_view protects(Layer layer) {
  switch (layer) {
    case Layer::fence:
      return paused_other;
    case Layer::operation_id:
      return late;
    case Layer::guard:
      return at_once;
    case Layer::none:
    case Layer::lock:
      return {};
  }
  return {};
}

void without(Run& run, Layer off, std::string& contrast) {
  Stage stage(run, off);
  if (!stage.open({})) return;
  const Effect same = paused_holder_settles(stage, true, nullptr);
  const Effect other = paused_holder_settles(stage, false, nullptr);
  const Effect two = two_at_once(stage);
  const Effect duplicate = late_duplicate(stage);
  for (const auto& [situation, effect] : {std::pair(paused_same, same),
                                          std::pair(paused_other, other),
                                          std::pair(at_once, two),
                                          std::pair(late, duplicate)}) {
    if (!effect.ran) return;
    run.layer({std::string(situation), std::string(to_string(off)), effect.text, effect.is_right});
    if (situation == protects(off)) {
      run.sometimes("without the " + std::string(to_string(off)) + " something went wrong",
                    effect.is_right ? 0 : 1);
      contrast += (contrast.empty() ? "without " : "; without ") + std::string(to_string(off)) +
                  ": " + effect.text;
    } else {
      run.expect(effect.is_right,
                 "without the " + std::string(to_string(off)) + ", " + std::string(situation) +
                     ": " + effect.text);
    }
  }
}

std::string say(Child& child, const std::string& line) {
  const auto answer = child.exchange(line);
  return answer ? *answer : "error: " + answer.error().detail;
}

/// The careless twin: a lock, no token, no id, balances written as computed before the pause.
void careless_holder(Run& run) {
  const auto file = run.fresh_path(".naive.db");
  naive::Bank bank(file);
  bank.create_tables();
  bank.create_wallet("shop", 100);
  bank.create_wallet("supplier", 0);
  bank.create_wallet("landlord", 0);
  auto first = Child::start({"--as-naive", file.string()});
  auto second = Child::start({"--as-naive", file.string()});
  if (!first || !second) return run.could_not_run(first ? second.error() : first.error());
  for (Child* child : {&*first, &*second}) static_cast<void>(child->receive());
  History history;
  history.end(history.invoke(ask(0, testkit::deposit("fund-shop", "shop", 100))),
              Result<Outcome>(Outcome{Applied{}}));
  const auto call = [&history](std::size_t client, const char* id, const char* to) {
    const auto number =
        history.invoke(ask(client, testkit::transfer(id, "shop", to, 60), "settle"));
    history.end(number, Result<Outcome>(Outcome{Applied{}}));
  };
  static_cast<void>(say(*first, "lock wallet:shop 200 15000"));
  for (const char* wallet : {"read shop", "read supplier"}) static_cast<void>(say(*first, wallet));
  if (const Status paused = first->pause(); !paused) return run.could_not_run(paused.error());
  static_cast<void>(say(*second, "lock wallet:shop 200 15000"));
  for (const char* wallet : {"read shop", "read landlord"}) static_cast<void>(say(*second, wallet));
  call(2, "settle-P2", "landlord");
  static_cast<void>(say(*second, "pay settle-P2 shop landlord 60"));
  first->resume();
  call(1, "settle-P1", "supplier");
  static_cast<void>(say(*first, "pay settle-P1 shop supplier 60"));
  Evidence evidence;
  evidence.calls = history.calls();
  for (Call& each : evidence.calls) each.receipt.reset();
  evidence.image = bank.image(system_clock().wall_now());
  run.judge("naive", evidence);
}

void run_paused_holder(Run& run) {
  if (run.lock().kind == LockKind::memory) {
    return run.skip(
        "memory: is a lock within one process, and these are two: pass --lock store:, "
        "redis://… or none:");
  }
  if (run.mutant() == "naive-holder") return careless_holder(run);
  complete_product(run);
  if (run.is_mutant()) return;
  std::string contrast;
  for (const Layer off : {Layer::lock, Layer::fence, Layer::operation_id, Layer::guard}) {
    without(run, off, contrast);
  }
  run.contrast(contrast);
}

}  // namespace

Scenario paused_holder() {
  return {"paused-holder",
          "a process stopped past its lock's time to live wakes up and pays; layer matrix",
          {{"naive-holder", "I2"},
           {"fence-not-advanced", "I8"},
           {"claim-forgets", "I6"},
           {"tokens-go-back", "I8"},
           {"guard-ignored", "I3"}},
          run_paused_holder};
}

}  // namespace mizan::prover
