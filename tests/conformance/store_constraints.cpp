#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace mizan::conformance {
namespace {

// The rules never plan such rows. Were they ever wrong, the store must not keep it.

/// Loads, builds, writes and commits; answers the error of the first step that failed.
std::optional<Error> error_of(Store& store,
                              std::vector<WalletState> states,
                              const std::function<void(PlanBuilder&)>& fill) {
  auto transaction = must(store.begin(soon()));
  PlanBuilder builder(std::move(states));
  fill(builder);
  Plan plan = builder.build();
  auto written = transaction->write(plan);
  if (!written) return written.error();
  if (!std::holds_alternative<WritesDone>(*written)) {
    stop_test("refused as a race, not as a broken row", std::source_location::current());
  }
  Status committed = transaction->commit();
  if (!committed) return committed.error();
  return std::nullopt;
}

using Fill = std::function<void(PlanBuilder&)>;

/// The plan must end in an error that says that nothing was applied, and nothing must be kept.
void expect_caught(Store& store,
                   const Fill& fill,
                   const std::source_location& where = std::source_location::current()) {
  const std::string before = everything_in(store);
  const auto reader = must(store.snapshot());
  std::vector<WalletState> states = must(reader->read_states(WalletNumber{0}, 10)).items;
  const std::optional<Error> error = error_of(store, std::move(states), fill);
  const std::string line = "line " + std::to_string(where.line());
  ASSERT_TRUE(error) << line << ": it was kept";
  EXPECT_EQ(error->certainty, Certainty::not_applied) << line;
  EXPECT_EQ(error->code, Code::internal) << line << ": " << describe(*error);
  EXPECT_EQ(before, everything_in(store)) << line;
}

TEST_P(StoreConformance, a_balance_below_the_limit_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(), [](PlanBuilder& plan) { plan.withdraw("op-1", "alice", 101); });
  expect_caught(store(), [](PlanBuilder& plan) { plan.transfer("op-1", "bob", "alice", 1); });
}

TEST_P(StoreConformance, more_held_than_available_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(), [](PlanBuilder& plan) { plan.hold("op-1", "alice", 101); });
  expect_caught(store(), [](PlanBuilder& plan) {
    plan.hold("op-1", "alice", 60).withdraw("op-2", "alice", 41);
  });
}

TEST_P(StoreConformance, a_limit_above_what_is_available_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(
      store(), [](PlanBuilder& plan) { plan.change("alice").after.min_balance = MinorUnits{101}; });
}

TEST_P(StoreConformance, held_money_below_zero_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(),
                [](PlanBuilder& plan) { plan.change("alice").after.held = MinorUnits{-1}; });
}

TEST_P(StoreConformance, a_leg_that_moves_nothing_or_backwards_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(), [](PlanBuilder& plan) { plan.transfer("op-1", "alice", "bob", 0); });
  expect_caught(store(), [](PlanBuilder& plan) { plan.transfer("op-1", "bob", "alice", -5); });
}

TEST_P(StoreConformance, a_leg_from_a_wallet_to_itself_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(), [](PlanBuilder& plan) { plan.transfer("op-1", "alice", "alice", 5); });
}

TEST_P(StoreConformance, a_hold_that_captured_more_than_it_had_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 50); });
  HoldRecord hold;
  {
    auto transaction = begin();
    hold = must_have(transaction->load_hold(OperationId("hold-1")));
  }
  expect_caught(store(), [&](PlanBuilder& plan) {
    plan.capture("op-1", hold, 51);
    plan.change("alice").after.held = MinorUnits{0};  // Only the hold itself is wrong.
  });
  expect_caught(store(), [](PlanBuilder& plan) { plan.hold("op-1", "alice", 0); });
}

TEST_P(StoreConformance, a_closed_wallet_with_money_is_caught) {
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(), [](PlanBuilder& plan) { plan.touch("alice", WalletStatus::closed); });
}

TEST_P(StoreConformance, an_entry_that_does_not_follow_the_last_one_is_caught) {
  if (const auto& reason = GetParam().deviations.entries_need_not_follow) GTEST_SKIP() << *reason;
  create_with("alice", 100);
  create_with("bob", 0);
  expect_caught(store(), [](PlanBuilder& plan) {
    plan.deposit("op-1", "alice", 5).last().legs[0].to_version = 3;
  });
  expect_caught(store(), [](PlanBuilder& plan) {
    plan.deposit("op-1", "alice", 5).last().legs[0].to_balance = MinorUnits{106};
  });
  expect_caught(store(),
                [](PlanBuilder& plan) { plan.change("alice").after.balance = MinorUnits{101}; });
}

TEST_P(StoreConformance, deltas_cannot_go_around_the_second_net) {
  create_with("alice", 100);
  create_with("bob", 0);
  const NoTrace no_trace(store());
  GuardedDelta unguarded;
  unguarded.wallet = WalletId("alice");
  unguarded.balance_change = MinorUnits{-101};
  {
    auto transaction = begin();
    const auto result = transaction->apply_deltas(std::span(&unguarded, 1));
    EXPECT_TRUE(!result || std::holds_alternative<DeltaRefused>(*result));
  }
  no_trace.check();
}

}  // namespace
}  // namespace mizan::conformance
