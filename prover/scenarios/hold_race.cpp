// Capture, void and expiry of one hold at the same moment: one wins. Captures never exceed the
// hold, and of two reversals one is posted.

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::size_t rounds = 20;

/// The machine's clock, with a wall clock that the scenario can move on.
class ShiftedClock final : public Clock {
 public:
  [[nodiscard]] Timestamp wall_now() const override {
    return system_clock().wall_now() + std::chrono::seconds(shift_s_.load());
  }

  [[nodiscard]] Instant now() const override { return system_clock().now(); }

  void sleep_until(Instant until) const override { system_clock().sleep_until(until); }

  void move_on(std::chrono::seconds by) { shift_s_ += by.count(); }

 private:
  std::atomic<std::int64_t> shift_s_{0};
};

bool is_applied(const Result<Outcome>& answer) {
  return code_of_answer(answer) == Code::applied;
}

void make_hold(Run& run,
               Bench& bench,
               const std::string& id,
               std::int64_t amount,
               std::optional<std::chrono::microseconds> expires_in) {
  auto builder = testkit::hold(id, "w", amount);
  builder.to("shop");
  if (expires_in) builder.expires_in(*expires_in);
  run.expect(is_applied(bench.apply(ask(0, builder))), "the hold could not be made");
}

/// A full capture against a void.
void capture_or_void(Run& run, Bench& bench, std::size_t round) {
  const std::string hold = "hold-v" + std::to_string(round);
  make_hold(run, bench, hold, 50, std::nullopt);
  std::array<Code, 2> codes{};
  in_parallel(2, [&](std::size_t index) {
    const Operation operation = index == 0 ? testkit::capture("capture-" + hold, hold).build()
                                           : testkit::void_hold("void-" + hold, hold).build();
    codes.at(index) = code_of_answer(bench.apply(ask(index + 1, operation), index));
  });
  const bool one_won = (codes[0] == Code::applied) != (codes[1] == Code::applied);
  const bool other_refused = codes[0] == Code::hold_not_open || codes[1] == Code::hold_not_open;
  run.expect(one_won && other_refused,
             "capture and void of one hold: " + std::string(to_string(codes[0])) + " and " +
                 std::string(to_string(codes[1])));
  run.sometimes("capture or void lost the race", other_refused ? 1 : 0);
}

/// A full capture against the deadline.
void capture_or_expiry(Run& run, Bench& bench, ShiftedClock& clock, std::size_t round) {
  const std::string hold = "hold-e" + std::to_string(round);
  make_hold(run, bench, hold, 50, std::chrono::hours(1));
  std::array<Code, 1> capture{};
  in_parallel(2, [&](std::size_t index) {
    if (index == 0) {
      const Operation operation = testkit::capture("capture-" + hold, hold);
      capture[0] = code_of_answer(bench.apply(ask(1, operation), 0));
      return;
    }
    clock.move_on(std::chrono::hours(2));
    run.expect(bench.ledger(1).expire_holds().has_value(), "expiry failed");
  });
  run.expect(capture[0] == Code::applied || capture[0] == Code::hold_not_open,
             "capture beside the deadline: " + std::string(to_string(capture[0])));
}

/// Two captures of 40 from a hold of 50, and one that asks for too much.
void captures_within(Run& run, Bench& bench, std::size_t round) {
  const std::string hold = "hold-c" + std::to_string(round);
  make_hold(run, bench, hold, 50, std::nullopt);
  const auto above = bench.apply(ask(1, testkit::capture("above-" + hold, hold, 51)));
  run.expect(code_of_answer(above) == Code::limit_exceeded, "51 were captured of 50");
  std::array<Code, 2> codes{};
  in_parallel(2, [&](std::size_t index) {
    const std::string id = "part-" + std::to_string(index) + hold;
    codes.at(index) =
        code_of_answer(bench.apply(ask(index + 1, testkit::capture(id, hold, 40)), index));
  });
  run.expect((codes[0] == Code::applied) != (codes[1] == Code::applied),
             "of two captures of 40 from 50 not exactly one was applied");
  const auto rest = bench.apply(ask(1, testkit::capture("rest-" + hold, hold)));
  run.expect(is_applied(rest), "the remaining 10 could not be captured");
}

/// Two reversals of one transfer.
void reverse_and_reverse(Run& run, Bench& bench, std::size_t round) {
  const std::string target = "paid-" + std::to_string(round);
  run.expect(is_applied(bench.apply(ask(0, testkit::transfer(target, "w", "shop", 5)))),
             "the transfer to reverse was refused");
  std::array<Code, 2> codes{};
  in_parallel(2, [&](std::size_t index) {
    const std::string id = "back-" + std::to_string(index) + target;
    codes.at(index) = code_of_answer(
        bench.apply(ask(index + 1, testkit::reverse(id, target), "reverse " + target), index));
  });
  const bool one = (codes[0] == Code::applied && codes[1] == Code::already_reversed) ||
                   (codes[1] == Code::applied && codes[0] == Code::already_reversed);
  run.expect(one,
             "two reversals of one transfer: " + std::string(to_string(codes[0])) + " and " +
                 std::string(to_string(codes[1])));
}

/// A hold that was captured in full before its deadline: the deadline must not give it back.
void deadline_after_capture(Run& run, Bench& bench, ShiftedClock& clock) {
  make_hold(run, bench, "stays", 100, std::nullopt);
  make_hold(run, bench, "captured", 50, std::chrono::hours(1));
  run.expect(is_applied(bench.apply(ask(0, testkit::capture("take", "captured")))),
             "the capture was refused");
  clock.move_on(std::chrono::hours(2));
  run.expect(bench.ledger().expire_holds().has_value(), "expiry failed");
}

void race_with(Run& run, Strategy strategy) {
  ShiftedClock clock;
  auto bench = open_bench(run, strategy, 2, &clock);
  if (bench == nullptr || !set_up(run, *bench, {"w", "shop"}, 100'000)) return;
  deadline_after_capture(run, *bench, clock);
  for (std::size_t round = 0; round < rounds && !run.is_mutant(); ++round) {
    capture_or_void(run, *bench, round);
    capture_or_expiry(run, *bench, clock, round);
    captures_within(run, *bench, round);
    reverse_and_reverse(run, *bench, round);
  }
  judge_bench(run, to_string(strategy), *bench);
}

void run_hold_race(Run& run) {
  for (const Strategy strategy : run.strategies()) race_with(run, strategy);
  run.contrast("without the guard on the hold's state money is given back and captured");
}

}  // namespace

Scenario hold_race() {
  return {"hold-race",
          "capture, void and expiry of one hold at once; captures above it; two reversals",
          {{"expiry-unguarded", "I9"}},
          run_hold_race};
}

}  // namespace mizan::prover
