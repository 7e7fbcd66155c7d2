#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mizan::engine {
namespace {

using testkit::deposit;
using testkit::Fault;
using testkit::hold;
using testkit::transfer;
using testkit::withdraw;

class RetryTest : public LedgerTest, public ::testing::WithParamInterface<Strategy> {
 protected:
  void SetUp() override {
    LedgerOptions options;
    options.strategy = GetParam();
    ledger_ = open(options);
    create(*ledger_, testkit::wallet("alice"), 100);
    create(*ledger_, testkit::wallet("bob"));
  }

  std::unique_ptr<Ledger> ledger_;
};

TEST_P(RetryTest, what_the_database_asks_to_repeat_is_repeated_whole) {
  int number = 0;
  for (const char* call : {"begin",
                           "claim",
                           "load_wallets",
                           "load_due_holds",
                           "write",
                           "record",
                           "apply_deltas",
                           "find_stale",
                           "commit",
                           "snapshot"}) {
    store_.fail(call, Fault::retryable, 2);
    const std::string id = "t-" + std::to_string(++number);
    expect(ledger_->apply(transfer(id, "alice", "bob", 1)), Code::applied);
    EXPECT_EQ(balance("bob"), number) << call;
    store_.heal();
  }
  expect_sound();
}

TEST_P(RetryTest, a_conflict_that_never_ends_is_no_money_refusal) {
  let_calls_take_time();
  store_.fail("commit", Fault::retryable, 1'000'000);
  CallOptions options;
  options.deadline = clock_.now() + std::chrono::seconds(5);
  const auto result = ledger_->apply(transfer("t-1", "alice", "bob", 1), options);
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().code == Code::unavailable || result.error().code == Code::contended);
  EXPECT_EQ(result.error().certainty, Certainty::not_applied);
  store_.heal();
  EXPECT_FALSE(is_recorded("t-1"));
  EXPECT_EQ(balance("alice"), 100);
}

TEST_P(RetryTest, a_database_that_is_away_is_unavailable_at_once) {
  store_.fail("begin", Fault::unavailable);
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 1)), Code::unavailable);
  EXPECT_FALSE(is_recorded("t-1"));
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 1)), Code::applied);
}

TEST_P(RetryTest, a_deadline_that_has_passed_applies_nothing) {
  CallOptions options;
  options.deadline = clock_.now();
  expect(ledger_->apply(transfer("t-1", "alice", "bob", 1), options), Code::unavailable);
  EXPECT_FALSE(is_recorded("t-1"));
}

TEST_P(RetryTest, nothing_half_done_is_remembered_after_a_failure) {
  for (const char* call : {"write", "record", "commit"}) {
    store_.fail(call, Fault::unavailable);
    static_cast<void>(ledger_->apply(transfer("lost", "alice", "bob", 60)));
    store_.heal();
  }
  const bool applied = is_recorded("lost");
  expect(ledger_->apply(withdraw("w-1", "alice", applied ? 40 : 100)), Code::applied);
  expect_sound();
}

INSTANTIATE_TEST_SUITE_P(strategies,
                         RetryTest,
                         ::testing::Values(Strategy::batched,
                                           Strategy::atomic,
                                           Strategy::optimistic,
                                           Strategy::pessimistic),
                         [](const auto& one) { return std::string(to_string(one.param)); });

class OptimisticTest : public LedgerTest {
 protected:
  /// A ledger whose wallet somebody else changes after each of its first `times` reads.
  [[nodiscard]] std::unique_ptr<Ledger> disturbed(int times) {
    LedgerOptions options;
    options.strategy = Strategy::optimistic;
    options.on_step = [this, times](std::string_view step) {
      if (step != "read" || reads_++ >= times) return;
      expect(theirs_->apply(deposit("d-" + std::to_string(reads_), "alice", 1)), Code::applied);
    };
    return open(options);
  }

  int reads_ = 0;
  std::unique_ptr<Ledger> theirs_ = open();
};

TEST_F(OptimisticTest, every_lost_race_is_tried_again_up_to_the_limit) {
  create(*theirs_, testkit::wallet("alice"), 100);
  const auto ledger = disturbed(2);
  expect(ledger->apply(withdraw("w-1", "alice", 100)), Code::applied);
  EXPECT_EQ(ledger->counters().optimistic_retries, 2U);
  EXPECT_EQ(balance("alice"), 2);
  expect_sound();
}

TEST_F(OptimisticTest, when_every_attempt_lost_its_race_it_says_so) {
  create(*theirs_, testkit::wallet("alice"), 100);
  const auto ledger = disturbed(3);
  const auto result = ledger->apply(withdraw("w-1", "alice", 100));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::contended);
  EXPECT_EQ(result.error().certainty, Certainty::not_applied);
  EXPECT_EQ(ledger->counters().optimistic_retries, 3U);
  EXPECT_FALSE(is_recorded("w-1"));
  expect(ledger->apply(withdraw("w-1", "alice", 100)), Code::applied);
}

TEST_F(OptimisticTest, a_refusal_that_relied_on_an_old_read_is_not_given) {
  create(*theirs_, testkit::wallet("alice"));
  const auto ledger = disturbed(1);
  expect(ledger->apply(withdraw("w-1", "alice", 1)), Code::applied);
  EXPECT_EQ(balance("alice"), 0);
}

using AlarmTest = LedgerTest;

TEST_F(AlarmTest, an_alarm_about_a_batch_harms_the_one_that_causes_it_alone) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 100);
  create(*ledger, testkit::wallet("bob"));
  // The whole batch, then the first operation by itself.
  store_.fail("write", Fault::alarm, 2);
  const std::vector<Operation> batch = {transfer("t-1", "alice", "bob", 1),
                                        transfer("t-2", "alice", "bob", 2),
                                        transfer("t-3", "alice", "bob", 3)};
  const auto results = ledger->apply_batch(batch);
  ASSERT_EQ(results.size(), 3U);
  expect(results[0], Code::internal);
  expect(results[1], Code::applied);
  expect(results[2], Code::applied);
  EXPECT_FALSE(is_recorded("t-1"));
  EXPECT_EQ(balance("bob"), 5);
  expect_sound();
}

class AdminTest : public LedgerTest {};

TEST_F(AdminTest, a_hold_that_has_expired_stands_in_no_limits_way) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 100);
  expect(ledger->apply(hold("h-1", "alice", 100).expires_in(std::chrono::hours(1))), Code::applied);
  clock_.advance(std::chrono::hours(1));
  WalletPatch patch;
  patch.min_balance = MinBalance(MinorUnits{100});
  const auto patched = ledger->patch_wallet(WalletId{"alice"}, patch);
  ASSERT_TRUE(patched);
  EXPECT_TRUE(std::holds_alternative<Wallet>(*patched));
  expect_sound();
}

TEST_F(AdminTest, wallets_and_currencies_survive_conflicts_and_unknown_commits) {
  const auto ledger = open();
  for (const Fault fault :
       {Fault::retryable, Fault::commit_applied_unreported, Fault::commit_lost_unreported}) {
    const std::string id = "w" + std::to_string(static_cast<int>(fault));
    store_.fail("commit", fault);
    ASSERT_TRUE(ledger->create_wallet(testkit::wallet(id)));
    EXPECT_EQ(balance(id), 0);
    store_.fail("commit", fault);
    WalletPatch patch;
    patch.status = WalletStatus::frozen;
    ASSERT_TRUE(ledger->patch_wallet(WalletId{id}, patch));
    EXPECT_EQ(wallet(id).status, WalletStatus::frozen);
  }
  store_.fail("commit", Fault::commit_applied_unreported);
  ASSERT_TRUE(ledger->add_currency({CurrencyCode{"GOLD"}, 4}));
  const auto found = ledger->find_currency(CurrencyCode{"GOLD"});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->has_value());
}

TEST_F(AdminTest, expire_holds_says_how_many_ended) {
  const auto ledger = open();
  create(*ledger, testkit::wallet("alice"), 1'000);
  for (int i = 0; i < 600; ++i) {
    const std::string id = "h-" + std::to_string(i);
    expect(ledger->apply(hold(id, "alice", 1).expires_in(std::chrono::hours(1))), Code::applied);
  }
  EXPECT_EQ(ledger->expire_holds().value(), 0U);
  clock_.advance(std::chrono::hours(1));
  EXPECT_EQ(ledger->expire_holds().value(), 600U);
  EXPECT_EQ(ledger->expire_holds().value(), 0U);
  EXPECT_EQ(ledger->counters().holds_expired, 600U);
  EXPECT_EQ(wallet("alice").held, MinorUnits{0});
  expect_sound();
}

}  // namespace
}  // namespace mizan::engine
