#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

/// Everything that a transaction can write, on wallets alice and bob.
void write_all_kinds(Transaction& transaction, std::vector<WalletState> states) {
  const WalletNumber alice = states.front().number;
  PlanBuilder builder(std::move(states));
  builder.deposit("all-deposit", "alice", 50)
      .transfer("all-transfer", {{"alice", "bob", 20}, {"bob", "alice", 5}})
      .hold("all-hold", "alice", 10)
      .reverse("all-reverse", "all-transfer", {{"alice", "bob", 5}, {"bob", "alice", 20}})
      .refusal("all-refusal", Code::insufficient_funds);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction.write(plan))));
  ASSERT_TRUE(std::holds_alternative<FenceAccepted>(
      must(transaction.advance_fence(fence("all-lock", 9, "me")))));
  ASSERT_TRUE(must(transaction.insert_wallet(wallet("all-wallet"), test_epoch())));
  ASSERT_TRUE(must(transaction.insert_currency({CurrencyCode("ALL"), 3})));
  must(transaction.update_metadata(alice, must(Metadata::make({{"all", "kinds"}}))));
}

TEST_P(StoreConformance, a_rolled_back_transaction_leaves_nothing) {
  create_with("alice", 100);
  create_with("bob", 0);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    write_all_kinds(*transaction, load(*transaction, {"alice", "bob"}));
  }
  no_trace.check();

  auto transaction = begin();
  for (const char* id : {"all-deposit", "all-transfer", "all-hold", "all-reverse", "all-refusal"}) {
    EXPECT_FALSE(claim(*transaction, id)) << id;
  }
  EXPECT_FALSE(must(transaction->load_fence(Resource("all-lock"))));
  EXPECT_FALSE(must(transaction->load_hold(OperationId("all-hold"))));
  EXPECT_FALSE(must(transaction->find_currency(CurrencyCode("ALL"))));
}

TEST_P(StoreConformance, what_was_rolled_back_can_be_written_afterwards) {
  create_with("alice", 100);
  create_with("bob", 0);
  {
    auto transaction = begin();
    write_all_kinds(*transaction, load(*transaction, {"alice", "bob"}));
  }
  auto transaction = begin();
  write_all_kinds(*transaction, load(*transaction, {"alice", "bob"}));
  must(transaction->commit());
  transaction.reset();
  EXPECT_EQ(wallet_now("alice").balance, MinorUnits{150});
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{10});
  EXPECT_EQ(wallet_now("bob").balance, MinorUnits{0});
  EXPECT_EQ(wallet_now("all-wallet").balance, MinorUnits{0});
}

TEST_P(StoreConformance, a_commit_shows_all_legs_of_an_operation_at_once) {
  create_with("alice", 100);
  create_with("bob", 0);
  create_with("carol", 0);
  apply({"alice", "bob", "carol"}, [](PlanBuilder& plan) {
    plan.transfer("op-1", {{"alice", "bob", 30}, {"bob", "carol", 10}, {"alice", "carol", 1}});
  });
  EXPECT_EQ(balance("alice"), 69);
  EXPECT_EQ(balance("bob"), 20);
  EXPECT_EQ(balance("carol"), 11);
  EXPECT_EQ(wallet_now("alice").version, 3U);  // One deposit, two legs.
  EXPECT_EQ(wallet_now("bob").version, 2U);
}

TEST_P(StoreConformance, destruction_after_a_commit_takes_nothing_back) {
  create_with("alice", 0);
  auto transaction = begin();
  PlanBuilder builder(load(*transaction, {"alice"}));
  builder.deposit("op-1", "alice", 7);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));
  must(transaction->commit());
  transaction.reset();
  EXPECT_EQ(balance("alice"), 7);
}

TEST_P(StoreConformance, a_plan_with_one_stale_wallet_writes_none_of_them) {
  create_with("alice", 100);
  create_with("bob", 0);
  std::vector<WalletState> old;
  {
    auto transaction = begin();
    old = load(*transaction, {"alice", "bob"});
  }
  deposit("op-between", "bob", 1);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(old);
    builder.transfer("op-1", "alice", "bob", 60);
    Plan plan = builder.build();
    const WriteResult written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WriteStale>(written));
    EXPECT_FALSE(transaction->commit()) << "a refused write must not be committed";
  }
  no_trace.check();
}

TEST_P(StoreConformance, a_plan_with_one_recorded_operation_writes_none_of_them) {
  create_with("alice", 100);
  deposit("op-old", "alice", 1);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    builder.deposit("op-1", "alice", 10).deposit("op-old", "alice", 1).deposit("op-2", "alice", 5);
    Plan plan = builder.build();
    const WriteResult written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
    EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-old"));
    EXPECT_FALSE(transaction->commit()) << "a refused write must not be committed";
  }
  no_trace.check();
}

TEST_P(StoreConformance, an_empty_transaction_commits_and_changes_nothing) {
  create_with("alice", 100);
  const NoTrace no_trace(store());
  must(begin()->commit());
  no_trace.check();
}

}  // namespace
}  // namespace mizan::conformance
