#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace mizan::conformance {
namespace {

/// Another process, as it were: changes a wallet beside the ledger.
void change_beside(Store& store,
                   const std::string& id,
                   std::string_view wallet,
                   std::int64_t change) {
  auto transaction = must(store.begin(soon()));
  auto states = must(transaction->load_wallets(std::array{WalletId(wallet)}, LoadLock::update));
  PlanBuilder builder({states.at(0).value()});
  builder.at(system_clock().wall_now());
  if (change > 0) builder.deposit(id, wallet, change);
  if (change < 0) builder.withdraw(id, wallet, -change);
  Plan plan = builder.build();
  static_cast<void>(must(transaction->write(plan)));
  must(transaction->commit());
}

TEST_P(LedgerConformance, a_commit_that_was_done_but_not_reported_is_resolved) {
  create_with("alice", 100);
  store().fail("commit", Fault::commit_applied_unreported);
  const auto result = apply(withdraw("op-1", "alice", 30));
  EXPECT_EQ(receipt_in(result).legs.at(0).from_balance, MinorUnits{70});
  EXPECT_EQ(balance("alice"), 70);
  EXPECT_GE(ledger().counters().unknown_commits_resolved, 1U);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 30)), Code::already_applied);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 70)), Code::applied);
}

TEST_P(LedgerConformance, a_commit_that_was_lost_is_done_again) {
  create_with("alice", 100);
  store().fail("commit", Fault::commit_lost_unreported, 2);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 30)), Code::applied);
  EXPECT_EQ(balance("alice"), 70);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 30)), Code::already_applied);
}

TEST_P(LedgerConformance, a_batch_in_doubt_is_resolved_item_by_item) {
  create_with("alice", 100);
  for (const Fault fault : {Fault::commit_applied_unreported, Fault::commit_lost_unreported}) {
    const std::string name = fault == Fault::commit_lost_unreported ? "lost" : "done";
    store().fail("commit", fault);
    const auto results = batch({withdraw(name + "-1", "alice", 10),
                                withdraw(name + "-2", "alice", 1'000),
                                withdraw(name + "-3", "alice", 20)});
    EXPECT_EQ(receipt_in(results[0]).id, OperationId(name + "-1"));
    EXPECT_EQ(code_of(results[1]), Code::insufficient_funds);
    EXPECT_EQ(receipt_in(results[2]).id, OperationId(name + "-3"));
  }
  EXPECT_EQ(balance("alice"), 40);
}

TEST_P(LedgerConformance, a_fate_that_cannot_be_learnt_is_unknown_and_safe_to_repeat) {
  create_with("alice", 100);
  CallOptions hasty;
  hasty.deadline = system_clock().now() + std::chrono::milliseconds(300);
  store().fail("commit", Fault::commit_applied_unreported);
  store().before_call([&](std::string_view call) {
    if (call != "commit") return;
    // From the commit on nothing can be asked any more.
    store().fail("begin", Fault::unavailable, 1'000'000);
    store().fail("snapshot", Fault::unavailable, 1'000'000);
  });
  const auto result = apply(withdraw("op-1", "alice", 30), hasty);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unknown);
  EXPECT_EQ(result.error().certainty, Certainty::unknown);
  store().before_call({});
  store().heal();
  EXPECT_EQ(answer(withdraw("op-1", "alice", 30)), Code::already_applied);
  EXPECT_EQ(balance("alice"), 70);
}

TEST_P(LedgerConformance, a_store_that_is_not_there_is_unavailable_and_nothing_happened) {
  create_with("alice", 100);
  const std::string before = everything();
  store().fail("begin", Fault::unavailable, 1'000'000);
  store().fail("snapshot", Fault::unavailable, 1'000'000);
  CallOptions hasty;
  hasty.deadline = system_clock().now() + std::chrono::milliseconds(200);
  const auto result = apply(withdraw("op-1", "alice", 30), hasty);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::unavailable);
  EXPECT_EQ(result.error().certainty, Certainty::not_applied);
  store().heal();
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 30)), Code::applied);
}

TEST_P(LedgerConformance, a_deadlock_at_any_call_is_retried_inside) {
  create_with("alice", 100);
  int number = 0;
  for (const char* call : {"begin",
                           "snapshot",
                           "snapshot.load_wallets",
                           "claim",
                           "advance_fence",
                           "load_wallets",
                           "load_wallets_by_number",
                           "find_stale",
                           "load_due_holds",
                           "apply_deltas",
                           "write",
                           "record",
                           "commit"}) {
    // A new ledger: nothing is cached, so that every call of the strategy is made.
    restart();
    store().fail(call, Fault::retryable, 2);
    const std::string id = "op-" + std::to_string(++number);
    EXPECT_EQ(answer(withdraw(id, "alice", 1).fence("lock", number, "me")), Code::applied) << call;
    EXPECT_EQ(balance("alice"), 100 - number) << call;
    store().heal();
  }
}

TEST_P(LedgerConformance, a_failure_at_any_call_leaves_all_or_nothing) {
  create_with("alice", 100);
  create_with("bob", 0);
  int number = 0;
  for (const char* call : {"begin",
                           "snapshot",
                           "claim",
                           "advance_fence",
                           "load_wallets",
                           "find_stale",
                           "apply_deltas",
                           "write",
                           "record",
                           "commit"}) {
    for (std::size_t skip = 0; skip < 3; ++skip) {
      restart();
      const std::string id = "op-" + std::to_string(++number);
      const Operation operation = transfer(id, "alice", "bob", 1).fence("lock", number, "me");
      const std::int64_t before = balance("bob");
      CallOptions hasty;
      hasty.deadline = system_clock().now() + std::chrono::milliseconds(2'000);
      store().fail(call, Fault::unavailable, 1, skip);
      const auto result = apply(operation, hasty);
      const bool failed = !result;
      if (failed) {
        EXPECT_EQ(result.error().code, Code::unavailable) << call;
        EXPECT_EQ(balance("bob"), before) << call;
      }
      store().heal();
      EXPECT_EQ(answer(operation), failed ? Code::applied : Code::already_applied) << call;
      EXPECT_EQ(balance("bob"), before + 1) << call;
    }
  }
}

TEST_P(LedgerConformance, money_that_left_beside_the_ledger_is_not_spent_from_a_cache) {
  create_with("alice", 100);
  ASSERT_EQ(answer(withdraw("op-1", "alice", 1)), Code::applied);
  change_beside(store().inner(), "beside-1", "alice", -99);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1)), Code::insufficient_funds);
  EXPECT_EQ(balance("alice"), 0);
}

TEST_P(LedgerConformance, money_that_came_beside_the_ledger_is_not_refused_from_a_cache) {
  create_with("alice", 100);
  ASSERT_EQ(answer(withdraw("op-1", "alice", 100)), Code::applied);
  change_beside(store().inner(), "beside-1", "alice", 50);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 50)), Code::applied);
  EXPECT_EQ(balance("alice"), 0);
}

TEST_P(LedgerConformance, a_wallet_frozen_beside_the_ledger_is_frozen) {
  create_with("alice", 100);
  ASSERT_EQ(answer(withdraw("op-1", "alice", 1)), Code::applied);
  {
    auto transaction = must(store().inner().begin(soon()));
    auto states = must(transaction->load_wallets(std::array{WalletId("alice")}, LoadLock::update));
    PlanBuilder builder({states.at(0).value()});
    builder.touch("alice", WalletStatus::frozen);
    Plan plan = builder.build();
    static_cast<void>(must(transaction->write(plan)));
    must(transaction->commit());
  }
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1)), Code::wallet_frozen);
  EXPECT_EQ(answer(deposit("op-3", "alice", 1)), Code::wallet_frozen);
}

TEST_P(LedgerConformance, a_race_just_before_the_transaction_is_noticed) {
  create_with("alice", 100);
  ASSERT_EQ(answer(withdraw("op-1", "alice", 1)), Code::applied);
  bool raced = false;
  store().before_call([&](std::string_view call) {
    if (call != "begin" || std::exchange(raced, true)) return;
    change_beside(store().inner(), "beside-1", "alice", -99);
  });
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1)), Code::insufficient_funds);
  EXPECT_TRUE(raced);
  EXPECT_EQ(balance("alice"), 0);
}

TEST_P(LedgerConformance, losing_every_race_is_contended_and_never_a_refusal_of_money) {
  create_with("alice", 100'000);
  int races = 0;
  store().before_call([&](std::string_view call) {
    if (call != "begin" || races >= 50) return;
    ++races;
    change_beside(store().inner(), "beside-" + std::to_string(races), "alice", 1);
  });
  const auto result = apply(withdraw("op-1", "alice", 1));
  store().before_call({});
  if (GetParam().strategy == Strategy::optimistic) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::contended);
    EXPECT_EQ(result.error().certainty, Certainty::not_applied);
    EXPECT_EQ(races, 3) << "three attempts by default";
  } else {
    EXPECT_EQ(code_of(result), Code::applied);
  }
  EXPECT_EQ(code_of(apply(withdraw("op-1", "alice", 1))),
            result ? Code::already_applied : Code::applied);
}

TEST_P(LedgerConformance, a_race_for_the_same_id_is_a_repeat) {
  create_with("alice", 100);
  const Operation operation = withdraw("op-1", "alice", 30);
  Ledger other(store().inner(), system_clock(), {});
  bool raced = false;
  store().before_call([&](std::string_view call) {
    if (call != "begin" || std::exchange(raced, true)) return;
    static_cast<void>(other.apply(operation));
  });
  EXPECT_EQ(answer(operation), Code::already_applied);
  EXPECT_TRUE(raced);
  EXPECT_EQ(balance("alice"), 70);
}

}  // namespace
}  // namespace mizan::conformance
