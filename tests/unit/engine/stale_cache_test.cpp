// Another ledger over the same store changes what this one remembers. Nothing is answered from a
// cache that the transaction did not check, neither an acceptance nor a refusal.

#include "tests/unit/engine/ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace mizan::engine {
namespace {

using testkit::capture;
using testkit::deposit;
using testkit::hold;
using testkit::transfer;
using testkit::withdraw;

class StaleCache : public LedgerTest {
 protected:
  void SetUp() override {
    create(*ours_, testkit::wallet("alice"), 100);
    create(*ours_, testkit::wallet("bob"), 100);
    create(*ours_, testkit::wallet("empty"));
    // Now our cache knows all three.
    expect(ours_->apply(transfer("warm", {{"alice", "empty", 1}, {"empty", "bob", 1}})),
           Code::applied);
    ASSERT_EQ(ours_->counters().stale_cache_retries, 0U);
  }

  void set_status(Ledger& ledger, const char* id, WalletStatus status) {
    WalletPatch patch;
    patch.status = status;
    const auto patched = ledger.patch_wallet(WalletId{id}, patch);
    ASSERT_TRUE(patched && std::holds_alternative<Wallet>(*patched));
  }

  void expect_stale_retries(std::uint64_t at_least) {
    EXPECT_GE(ours_->counters().stale_cache_retries, at_least);
    expect_sound();
  }

  std::unique_ptr<Ledger> ours_ = open();
  std::unique_ptr<Ledger> theirs_ = open();
};

TEST_F(StaleCache, money_that_was_spent_elsewhere_is_not_spent_again) {
  expect(theirs_->apply(withdraw("w-1", "alice", 99)), Code::applied);
  expect(ours_->apply(withdraw("w-2", "alice", 99)), Code::insufficient_funds);
  expect_stale_retries(1);
}

TEST_F(StaleCache, money_that_came_in_elsewhere_can_be_spent) {
  expect(theirs_->apply(deposit("d-1", "empty", 50)), Code::applied);
  expect(ours_->apply(withdraw("w-1", "empty", 50)), Code::applied);
  expect_stale_retries(1);
}

TEST_F(StaleCache, a_wallet_that_was_frozen_elsewhere_refuses) {
  set_status(*theirs_, "bob", WalletStatus::frozen);
  expect(ours_->apply(transfer("t-1", "alice", "bob", 1)), Code::wallet_frozen);
  expect_stale_retries(1);
}

TEST_F(StaleCache, a_wallet_that_was_thawed_elsewhere_does_not_refuse) {
  set_status(*theirs_, "bob", WalletStatus::frozen);
  expect(ours_->apply(transfer("t-1", "alice", "bob", 1)), Code::wallet_frozen);
  const auto before = ours_->counters().stale_cache_retries;
  set_status(*theirs_, "bob", WalletStatus::active);
  expect(ours_->apply(transfer("t-1", "alice", "bob", 1)), Code::applied);
  expect_stale_retries(before + 1);
}

TEST_F(StaleCache, a_hold_is_not_promised_to_a_wallet_that_was_closed_elsewhere) {
  set_status(*theirs_, "empty", WalletStatus::closed);
  expect(ours_->apply(hold("h-1", "alice", 10).to("empty")), Code::wallet_closed);
  EXPECT_FALSE(is_recorded("h-1"));
}

TEST_F(StaleCache, what_a_condition_looked_at_is_locked_until_the_commit) {
  const auto locks = [this] { return store_.calls("load_wallets_by_number"); };
  Condition rich;
  rich.wallet = WalletId{"empty"};
  rich.min_balance = MinorUnits{0};
  const auto before = locks();
  expect(ours_->apply(transfer("t-1", "alice", "bob", 1).condition(rich)), Code::applied);
  EXPECT_EQ(locks(), before + 1) << "two that each read the other's wallet are both applied";
  rich.wallet = WalletId{"alice"};
  expect(ours_->apply(transfer("t-2", "alice", "bob", 1).condition(rich)), Code::applied);
  expect(ours_->apply(transfer("t-3", "alice", "bob", 1)), Code::applied);
  EXPECT_EQ(locks(), before + 1) << "what is written is guarded by that";
  expect_sound();
}

TEST_F(StaleCache, a_condition_looks_at_what_is_there_now) {
  expect(theirs_->apply(deposit("d-1", "empty", 50)), Code::applied);
  Condition rich;
  rich.wallet = WalletId{"empty"};
  rich.min_balance = MinorUnits{50};
  expect(ours_->apply(transfer("t-1", "alice", "bob", 1).condition(rich)), Code::applied);
  expect(theirs_->apply(withdraw("w-1", "empty", 50)), Code::applied);
  expect(ours_->apply(transfer("t-2", "alice", "bob", 1).condition(rich)), Code::condition_failed);
  expect_stale_retries(2);
}

TEST_F(StaleCache, a_limit_that_was_raised_elsewhere_holds) {
  WalletPatch patch;
  patch.min_balance = MinBalance(MinorUnits{90});
  ASSERT_TRUE(theirs_->patch_wallet(WalletId{"alice"}, patch));
  expect(ours_->apply(withdraw("w-1", "alice", 50)), Code::insufficient_funds);
  expect_stale_retries(1);
}

TEST_F(StaleCache, a_hold_that_ended_elsewhere_is_not_captured_again) {
  expect(ours_->apply(hold("h-1", "alice", 10)), Code::applied);
  expect(theirs_->apply(capture("c-1", "h-1")), Code::applied);
  expect(ours_->apply(capture("c-2", "h-1")), Code::hold_not_open);
  EXPECT_EQ(balance("alice"), 89);
  expect_sound();
}

TEST_F(StaleCache, a_hold_that_was_made_elsewhere_can_be_captured_and_voided_here) {
  expect(theirs_->apply(hold("h-1", "alice", 10)), Code::applied);
  expect(ours_->apply(capture("c-1", "h-1", 4)), Code::applied);
  expect(theirs_->apply(hold("h-2", "bob", 10)), Code::applied);
  expect(ours_->apply(testkit::void_hold("v-1", "h-2")), Code::applied);
  EXPECT_EQ(balance("alice"), 95);
  EXPECT_EQ(wallet("alice").held, MinorUnits{6});
  EXPECT_EQ(wallet("bob").held, MinorUnits{0});
  expect_sound();
}

TEST_F(StaleCache, one_stale_wallet_in_a_batch_spoils_no_other_answer) {
  expect(theirs_->apply(deposit("d-1", "empty", 50)), Code::applied);
  const std::vector<Operation> operations{transfer("t-1", "alice", "bob", 1),
                                          withdraw("w-1", "empty", 50),
                                          withdraw("w-2", "empty", 1),
                                          transfer("t-2", "bob", "alice", 1)};
  const auto results = ours_->apply_batch(operations);
  expect(results[0], Code::applied);
  expect(results[1], Code::applied);
  expect(results[2], Code::insufficient_funds);
  expect(results[3], Code::applied);
  expect_stale_retries(1);
}

TEST_F(StaleCache, an_id_that_was_used_elsewhere_is_recognised) {
  expect(theirs_->apply(transfer("t-1", "alice", "bob", 1)), Code::applied);
  expect(ours_->apply(transfer("t-1", "alice", "bob", 1)), Code::already_applied);
  expect(ours_->apply(transfer("t-1", "alice", "bob", 2)), Code::operation_mismatch);
  EXPECT_EQ(balance("bob"), 102);
}

}  // namespace
}  // namespace mizan::engine
