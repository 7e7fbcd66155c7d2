// What a transaction does in one go: the questions that a decision begins with, and a write with
// its commit. Both must be what their parts are one after the other.

#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace mizan::conformance {
namespace {

/// What is asked; keeps what the question points at.
struct Asked {
  std::vector<OperationId> ids;
  std::vector<WalletId> wallets;
  LoadLock lock = LoadLock::none;

  [[nodiscard]] StartAnswer ask(Transaction& transaction, Timestamp now = test_epoch()) const {
    std::vector<const OperationId*> pointers;
    for (const OperationId& id : ids) pointers.push_back(&id);
    return must(transaction.start({now, 10, pointers, wallets, lock}));
  }
};

class Calls {
 public:
  [[nodiscard]] std::function<void()> hook() {
    return [this] { ++count_; };
  }

  [[nodiscard]] int count() const { return count_; }

 private:
  int count_ = 0;
};

TEST_P(StoreConformance, a_start_answers_what_its_parts_answer) {
  create_with("alice", 100);
  create_with("bob", 0);
  transfer("op-known", "alice", "bob", 7);
  for (const LoadLock lock : {LoadLock::none, LoadLock::update}) {
    const Asked asked{{OperationId("op-a"), OperationId("op-known"), OperationId("op-z")},
                      {WalletId("bob"), WalletId("nobody"), WalletId("alice")},
                      lock};
    auto transaction = begin();
    const StartAnswer answer = asked.ask(*transaction);
    EXPECT_TRUE(answer.due_holds.empty());
    ASSERT_EQ(answer.known.size(), 1U);
    EXPECT_EQ(answer.known.front().index, 1U);
    EXPECT_EQ(text_of(answer.known.front().recorded),
              text_of(must_have(snapshot()->find_operation(OperationId("op-known")))));
    ASSERT_EQ(answer.wallets.size(), 3U);
    ASSERT_TRUE(answer.wallets[0] && answer.wallets[2]);
    EXPECT_FALSE(answer.wallets[1]);
    EXPECT_EQ(answer.wallets[0]->balance.value(), 7);
    EXPECT_EQ(answer.wallets[2]->balance.value(), 93);
  }
}

TEST_P(StoreConformance, a_start_tells_which_holds_are_due) {
  create_with("alice", 100);
  const Timestamp deadline = test_epoch() + std::chrono::seconds(10);
  apply({"alice"}, [&](PlanBuilder& plan) { plan.hold("op-hold", "alice", 5, deadline); });
  const Asked asked{{OperationId("op-1")}, {WalletId("alice")}};
  auto transaction = begin();
  EXPECT_TRUE(asked.ask(*transaction, deadline - std::chrono::microseconds(1)).due_holds.empty());
  const auto due = asked.ask(*transaction, deadline).due_holds;
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due.front().id, OperationId("op-hold"));
}

TEST_P(StoreConformance, a_write_with_its_commit_is_there_for_everybody) {
  create_with("alice", 100);
  create_with("bob", 0);
  const Asked asked{{OperationId("op-1")}, {WalletId("alice"), WalletId("bob")}};
  Calls at_commit;
  auto transaction = begin();
  const StartAnswer answer = asked.ask(*transaction);
  PlanBuilder builder({*answer.wallets[0], *answer.wallets[1]});
  builder.transfer("op-1", "alice", "bob", 30);
  Plan plan = builder.build();
  const auto written = must(transaction->write_and_commit(plan, at_commit.hook()));
  ASSERT_TRUE(std::holds_alternative<WritesDone>(written));
  EXPECT_EQ(at_commit.count(), 1);
  transaction.reset();
  EXPECT_EQ(balance("alice"), 70);
  EXPECT_EQ(balance("bob"), 30);
  // What the plan says of the entries' links is what a later reader finds.
  auto next = begin();
  for (const WalletState& stored : load(*next, {"alice", "bob"})) {
    const auto change =
        std::find_if(plan.wallets.begin(), plan.wallets.end(), [&](const WalletChange& one) {
          return one.after.number == stored.number;
        });
    ASSERT_NE(change, plan.wallets.end());
    EXPECT_EQ(change->after.links.head, stored.links.head);
    EXPECT_EQ(change->after.links.block, stored.links.block);
  }
}

TEST_P(StoreConformance, a_write_with_its_commit_takes_holds_and_refusals_too) {
  create_with("alice", 100);
  Calls at_commit;
  auto transaction = begin();
  PlanBuilder builder(load(*transaction, {"alice"}));
  builder.hold("op-hold", "alice", 5).refusal("op-no", Code::insufficient_funds);
  Plan plan = builder.build();
  const auto written = must(transaction->write_and_commit(plan, at_commit.hook()));
  ASSERT_TRUE(std::holds_alternative<WritesDone>(written));
  EXPECT_EQ(at_commit.count(), 1);
  transaction.reset();
  EXPECT_EQ(wallet_now("alice").held.value(), 5);
  EXPECT_TRUE(must(snapshot()->find_operation(OperationId("op-no"))));
}

TEST_P(StoreConformance, a_stale_write_with_its_commit_leaves_nothing_and_is_named) {
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
    builder.transfer("op-1", "alice", "bob", 1);
    Plan plan = builder.build();
    Calls at_commit;
    const auto written = must(transaction->write_and_commit(plan, at_commit.hook()));
    ASSERT_TRUE(std::holds_alternative<WriteStale>(written));
    EXPECT_EQ(std::get<WriteStale>(written).wallets, std::vector{old[1].number});
    EXPECT_LE(at_commit.count(), 1);
  }
  no_trace.check();
}

TEST_P(StoreConformance, a_known_id_in_a_write_with_its_commit_leaves_nothing_and_is_named) {
  create_with("alice", 100);
  deposit("op-known", "alice", 1);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    builder.deposit("op-new", "alice", 1).deposit("op-known", "alice", 1);
    Plan plan = builder.build();
    Calls at_commit;
    const auto written = must(transaction->write_and_commit(plan, at_commit.hook()));
    ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
    EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-known"));
  }
  no_trace.check();
}

}  // namespace
}  // namespace mizan::conformance
