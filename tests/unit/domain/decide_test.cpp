// The parts of the rules that stand by themselves. What an operation is answered is in
// tests/golden, line by line; the ends of the range are in tests/property.

#include "domain/decide.hpp"

#include "testkit/builders.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <string_view>

namespace mizan::domain {
namespace {

using testkit::at_second;
using testkit::fence;

std::optional<FenceMark> mark(std::int64_t token, std::string_view owner) {
  return FenceMark{FenceToken{token}, LockOwner{owner}};
}

TEST(FencePasses, when_newer_or_equal_for_the_same_stated_owner) {
  EXPECT_TRUE(fence_passes(std::nullopt, fence("door", 0)));
  EXPECT_TRUE(fence_passes(mark(5, "me"), fence("door", 6, "you")));
  EXPECT_TRUE(fence_passes(mark(5, "me"), fence("door", 6)));
  EXPECT_TRUE(fence_passes(mark(5, "me"), fence("door", 5, "me")));
  EXPECT_FALSE(fence_passes(mark(5, "me"), fence("door", 5, "you")));
  EXPECT_FALSE(fence_passes(mark(5, "me"), fence("door", 5)));
  EXPECT_FALSE(fence_passes(mark(5, ""), fence("door", 5)));
  EXPECT_FALSE(fence_passes(mark(5, "me"), fence("door", 4, "me")));
  EXPECT_FALSE(
      fence_passes(mark(std::numeric_limits<std::int64_t>::max(), "me"), fence("door", 0)));
}

/// A capture of 10 from a wallet with 10 held, to a receiver.
class CaptureDecision : public ::testing::Test {
 protected:
  CaptureDecision() {
    payer_.id = WalletId{"payer"};
    payer_.balance = MinorUnits{100};
    payer_.held = MinorUnits{10};
    receiver_.id = WalletId{"receiver"};
    hold_.amount = MinorUnits{10};
    input_.operation = &operation_;
    input_.hold = &hold_;
    input_.legs.push_back({{&payer_, false}, {&receiver_, false}, MinorUnits{10}, {}, {}, {}});
  }

  void expect_refused(Code code) {
    const Decision decision = decide(input_);
    ASSERT_TRUE(std::holds_alternative<Refusal>(decision));
    EXPECT_EQ(to_string(std::get<Refusal>(decision).code), to_string(code));
    EXPECT_EQ(payer_.held, MinorUnits{10}) << "what was reserved stays reserved";
    EXPECT_EQ(payer_.balance, MinorUnits{100});
    EXPECT_EQ(payer_.version, 0U);
    EXPECT_EQ(receiver_.version, 0U);
  }

  WalletState payer_;
  WalletState receiver_;
  HoldRecord hold_;
  Operation operation_ = testkit::capture("op", "hold", 10);
  DecisionInput input_;
};

TEST_F(CaptureDecision, refused_for_the_range_leaves_what_was_held) {
  receiver_.balance = MinorUnits{std::numeric_limits<std::int64_t>::max()};
  expect_refused(Code::limit_exceeded);
}

TEST_F(CaptureDecision, refused_for_a_condition_leaves_what_was_held) {
  operation_ = testkit::capture("op", "hold", 10).if_version("payer", 7);
  input_.condition_wallets = {&payer_};
  expect_refused(Code::condition_failed);
}

TEST_F(CaptureDecision, accepted_moves_what_was_held) {
  const Decision decision = decide(input_);
  ASSERT_TRUE(std::holds_alternative<Decided>(decision));
  EXPECT_EQ(payer_.held, MinorUnits{0});
  EXPECT_EQ(payer_.balance, MinorUnits{90});
  EXPECT_EQ(receiver_.balance, MinorUnits{10});
  EXPECT_EQ(std::get<Decided>(decision).hold->after.status, HoldStatus::captured);
}

TEST(IsDue, exactly_from_its_deadline_on) {
  HoldRecord hold;
  EXPECT_FALSE(is_due(hold, at_second(1'000'000)));
  hold.expires_at = at_second(10);
  EXPECT_FALSE(is_due(hold, at_second(10) - std::chrono::microseconds(1)));
  EXPECT_TRUE(is_due(hold, at_second(10)));
  EXPECT_TRUE(is_due(hold, at_second(11)));
}

TEST(ReversedLegs, go_backwards_with_sides_exchanged) {
  ReversibleOperation operation;
  LegReceipt first;
  first.from = WalletId{"alice"};
  first.to = WalletId{"bob"};
  first.amount = MinorUnits{1};
  LegReceipt second = first;
  second.from = WalletId{"bob"};
  second.to = WalletId{"@world/EUR"};
  second.amount = MinorUnits{2};
  operation.legs = {first, second};
  const auto legs = reversed_legs(operation);
  ASSERT_EQ(legs.size(), 2U);
  EXPECT_EQ(legs[0].from, WalletId{"@world/EUR"});
  EXPECT_EQ(legs[0].to, WalletId{"bob"});
  EXPECT_EQ(legs[0].amount, MinorUnits{2});
  EXPECT_EQ(legs[1].from, WalletId{"bob"});
  EXPECT_EQ(legs[1].to, WalletId{"alice"});
}

TEST(IsReversible, what_posted_legs_of_its_own) {
  for (const auto type : {OperationType::transfer,
                          OperationType::deposit,
                          OperationType::withdraw,
                          OperationType::capture}) {
    EXPECT_TRUE(is_reversible(type));
  }
  for (const auto type : {OperationType::hold, OperationType::void_hold, OperationType::reverse}) {
    EXPECT_FALSE(is_reversible(type));
  }
}

TEST(Expire, gives_back_what_was_not_captured) {
  WalletState wallet;
  wallet.balance = MinorUnits{100};
  wallet.held = MinorUnits{70};
  HoldRecord hold;
  hold.amount = MinorUnits{60};
  hold.captured = MinorUnits{20};
  const HoldChange change = expire(hold, wallet);
  EXPECT_EQ(wallet.held, MinorUnits{30});
  EXPECT_EQ(wallet.balance, MinorUnits{100});
  EXPECT_EQ(wallet.version, 0U);
  EXPECT_EQ(change.kind, HoldChange::Kind::change);
  EXPECT_EQ(change.after.status, HoldStatus::expired);
  EXPECT_EQ(change.after.captured, MinorUnits{20});
  EXPECT_EQ(change.status_before, HoldStatus::open);
  EXPECT_EQ(change.captured_before, MinorUnits{20});
}

TEST(DecidePatch, changes_only_what_is_asked) {
  WalletState wallet;
  wallet.balance = MinorUnits{100};
  wallet.held = MinorUnits{40};
  WalletPatch patch;
  patch.min_balance = MinBalance(MinorUnits{60});
  auto decided = decide_patch(wallet, patch);
  ASSERT_TRUE(std::holds_alternative<WalletState>(decided));
  EXPECT_EQ(std::get<WalletState>(decided).min_balance, MinBalance(MinorUnits{60}));
  EXPECT_EQ(std::get<WalletState>(decided).status, WalletStatus::active);
  patch.min_balance = MinBalance(MinorUnits{61});
  decided = decide_patch(wallet, patch);
  ASSERT_TRUE(std::holds_alternative<Refusal>(decided));
  EXPECT_EQ(std::get<Refusal>(decided).code, Code::limit_exceeded);
  EXPECT_EQ(std::get<Refusal>(decided).available, MinorUnits{60});
}

TEST(DecidePatch, closes_only_what_is_empty_and_never_opens_again) {
  WalletPatch close;
  close.status = WalletStatus::closed;
  WalletState wallet;
  wallet.held = MinorUnits{1};
  EXPECT_TRUE(std::holds_alternative<Refusal>(decide_patch(wallet, close)));
  wallet.held = MinorUnits{0};
  wallet.balance = MinorUnits{-1};
  EXPECT_TRUE(std::holds_alternative<Refusal>(decide_patch(wallet, close)));
  wallet.balance = MinorUnits{0};
  wallet.status = WalletStatus::frozen;
  ASSERT_TRUE(std::holds_alternative<WalletState>(decide_patch(wallet, close)));
  wallet.status = WalletStatus::closed;
  const auto again = decide_patch(wallet, close);
  ASSERT_TRUE(std::holds_alternative<WalletState>(again)) << "a repeat finds what it asks for";
  EXPECT_EQ(std::get<WalletState>(again).status, WalletStatus::closed);
  WalletPatch close_and_limit = close;
  close_and_limit.min_balance = MinBalance(MinorUnits{0});
  EXPECT_TRUE(std::holds_alternative<Refusal>(decide_patch(wallet, close_and_limit)));
  WalletPatch close_and_note = close;
  close_and_note.metadata = Metadata{};
  EXPECT_TRUE(std::holds_alternative<Refusal>(decide_patch(wallet, close_and_note)));
  WalletPatch open;
  open.status = WalletStatus::active;
  const auto refused = decide_patch(wallet, open);
  ASSERT_TRUE(std::holds_alternative<Refusal>(refused));
  EXPECT_EQ(std::get<Refusal>(refused).code, Code::wallet_closed);
}

}  // namespace
}  // namespace mizan::domain
