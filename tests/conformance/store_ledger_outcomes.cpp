#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

TEST_P(LedgerConformance, a_repeat_shows_the_hold_as_the_first_answer_did) {
  create_with("alice", 100);
  const std::vector<Operation> operations{hold("h", "alice", 60),
                                          capture("c-1", "h", 20),
                                          capture("c-2", "h", 15),
                                          void_hold("v", "h")};
  std::vector<std::string> first;
  for (const Operation& operation : operations) {
    const auto result = apply(operation);
    EXPECT_EQ(code_of(result), Code::applied);
    first.push_back(text_of(receipt_in(result)));
  }
  EXPECT_EQ(receipt_in(apply(operations[0])).hold->captured, MinorUnits{0});
  EXPECT_EQ(receipt_in(apply(operations[1])).hold->captured, MinorUnits{20});
  EXPECT_EQ(receipt_in(apply(operations[2])).hold->status, HoldStatus::open);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto repeat = apply(operations[i]);
    EXPECT_EQ(code_of(repeat), Code::already_applied);
    EXPECT_EQ(text_of(receipt_in(repeat)), first[i]);
  }
  // Again by a ledger that remembers nothing, and all at once.
  restart();
  const auto results = ledger().apply_batch(operations);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    EXPECT_EQ(text_of(receipt_in(results[i])), first[i]);
  }
}

TEST_P(LedgerConformance, a_transfer_is_applied_and_its_repeat_gives_the_same_receipt) {
  create_with("alice", 100);
  create_with("bob", 0);
  const Operation operation = transfer("op-1", "alice", "bob", 60).with("note", "rent");
  const auto first = apply(operation);
  EXPECT_EQ(code_of(first), Code::applied);
  const Receipt receipt = receipt_in(first);
  EXPECT_EQ(receipt.id, OperationId("op-1"));
  EXPECT_EQ(receipt.type, OperationType::transfer);
  ASSERT_EQ(receipt.legs.size(), 1U);
  EXPECT_EQ(receipt.legs[0].from_balance, MinorUnits{40});
  EXPECT_EQ(receipt.legs[0].from_version, 2U);
  EXPECT_EQ(receipt.legs[0].to_balance, MinorUnits{60});
  EXPECT_EQ(receipt.legs[0].to_version, 1U);
  EXPECT_EQ(receipt.legs[0].currency, CurrencyCode("EUR"));

  EXPECT_EQ(answer(withdraw("op-2", "bob", 60)), Code::applied);
  const auto repeat = apply(operation);
  EXPECT_EQ(code_of(repeat), Code::already_applied);
  EXPECT_EQ(text_of(receipt_in(repeat)), text_of(receipt));
  EXPECT_EQ(balance("alice"), 40);
  EXPECT_EQ(balance("bob"), 0);
}

TEST_P(LedgerConformance, the_exact_repeat_of_what_emptied_a_wallet_is_not_short_of_funds) {
  create_with("alice", 100);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 100)), Code::applied);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 100)), Code::already_applied);
  EXPECT_EQ(balance("alice"), 0);
}

TEST_P(LedgerConformance, the_same_id_with_another_content_is_a_mismatch) {
  create_with("alice", 100);
  create_with("bob", 0);
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 10)), Code::applied);
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 11)), Code::operation_mismatch);
  EXPECT_EQ(answer(transfer("op-1", "bob", "alice", 10)), Code::operation_mismatch);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 10)), Code::operation_mismatch);
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 10).with("k", "v")), Code::operation_mismatch);
  // Fences and conditions are no content.
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 10).fence("lock", 1).if_version("alice", 1)),
            Code::already_applied);
  EXPECT_EQ(balance("bob"), 10);
}

struct RefusedCase {
  Code code;
  Operation operation;
};

/// What is refused in the ledger of the test below, and why.
std::vector<RefusedCase> refused_cases() {
  return {
      {Code::operation_mismatch, deposit("fund-alice", "alice", 101)},
      {Code::stale_fence, deposit("op", "alice", 1).fence("lock", 6, "me")},
      {Code::stale_fence, deposit("op", "alice", 1).fence("lock", 7, "you")},
      {Code::wallet_not_found, transfer("op", "alice", "nobody", 1)},
      {Code::wallet_not_found, transfer("op", "nobody", "alice", 1)},
      {Code::wallet_not_found, deposit("op", "nobody", 1)},
      {Code::wallet_not_found, hold("op", "nobody", 1)},
      {Code::wallet_not_found, hold("op", "alice", 1).to("nobody")},
      {Code::wallet_frozen, transfer("op", "frozen", "alice", 1)},
      {Code::wallet_frozen, transfer("op", "alice", "frozen", 1)},
      {Code::wallet_frozen, hold("op", "frozen", 1)},
      {Code::wallet_closed, transfer("op", "alice", "closed", 1)},
      {Code::wallet_closed, deposit("op", "closed", 1)},
      {Code::currency_mismatch, transfer("op", "alice", "usd", 1)},
      {Code::currency_mismatch, transfer("op", {{"alice", "bob", 1, "USD"}})},
      {Code::same_wallet, transfer("op", "alice", "alice", 1)},
      {Code::invalid_amount, transfer("op", "alice", "bob", 0)},
      {Code::invalid_amount, transfer("op", "alice", "bob", -5)},
      {Code::invalid_amount, deposit("op", "alice", INT64_MIN)},
      {Code::limit_exceeded, deposit("op", "alice", INT64_MAX)},
      {Code::hold_not_open, capture("op", "hold-void")},
      {Code::hold_not_open, void_hold("op", "hold-void")},
      {Code::already_reversed, reverse("op", "op-done")},
      {Code::not_reversible, reverse("op", "hold-void")},
      {Code::operation_not_found, reverse("op", "op-nothing")},
      {Code::hold_not_found, capture("op", "hold-nothing", 1)},
      {Code::hold_not_found, void_hold("op", "op-done")},
      {Code::condition_failed, deposit("op", "alice", 1).if_version("alice", 0)},
      {Code::insufficient_funds, transfer("op", "alice", "bob", 101)},
      {Code::insufficient_funds, withdraw("op", "alice", INT64_MAX)},
      {Code::insufficient_funds, hold("op", "alice", 101)},
      {Code::insufficient_funds, transfer("op", {{"alice", "bob", 60}, {"alice", "bob", 41}})},
  };
}

TEST_P(LedgerConformance, every_refusal_has_its_code_and_leaves_no_trace) {
  create_with("alice", 100);
  create_with("frozen", 100);
  create({wallet("bob"), wallet("closed"), wallet("usd").in("USD")});
  patch("frozen", WalletStatus::frozen);
  patch("closed", WalletStatus::closed);
  ASSERT_EQ(answer(hold("hold-void", "alice", 10)), Code::applied);
  ASSERT_EQ(answer(void_hold("op-void", "hold-void")), Code::applied);
  ASSERT_EQ(answer(transfer("op-done", "alice", "bob", 10)), Code::applied);
  ASSERT_EQ(answer(reverse("op-undo", "op-done")), Code::applied);
  ASSERT_EQ(answer(deposit("op-fenced", "alice", 1).fence("lock", 7, "me")), Code::applied);
  ASSERT_EQ(answer(withdraw("op-back", "alice", 1)), Code::applied);

  const std::string before = everything();
  for (const RefusedCase& one : refused_cases()) {
    const auto result = apply(one.operation);
    EXPECT_EQ(to_string(code_of(result)), to_string(one.code));
    EXPECT_EQ(everything(), before) << to_string(one.code);
    CallOptions dry;
    dry.dry_run = true;
    EXPECT_EQ(to_string(answer(one.operation, dry)), to_string(one.code)) << "dry run";
  }
  EXPECT_EQ(everything(), before);
  // The id was used up by none of them.
  EXPECT_EQ(answer(deposit("op", "alice", 1)), Code::applied);
}

TEST_P(LedgerConformance, malformed_requests_are_invalid_and_leave_no_trace) {
  create_with("alice", 100);
  create_with("bob", 0);
  const std::string before = everything();
  EXPECT_EQ(answer(deposit("", "alice", 1)), Code::invalid_request);
  EXPECT_EQ(answer(transfer("op", {})), Code::invalid_request);
  EXPECT_EQ(answer(transfer("op", "alice", "@world/EUR", 1)), Code::invalid_request);
  EXPECT_EQ(answer(deposit("op", "@world/EUR", 1)), Code::invalid_request);
  EXPECT_EQ(answer(deposit("op", "", 1)), Code::invalid_request);
  EXPECT_EQ(answer(hold("op", "alice", 1).expires_in(std::chrono::microseconds(0))),
            Code::invalid_request);
  Operation many = transfer("op", "alice", "bob", 1);
  auto& legs = std::get<Transfer>(many.body).legs;
  legs.resize(101, legs[0]);
  EXPECT_EQ(answer(many), Code::invalid_request);
  EXPECT_EQ(everything(), before);
  legs.resize(100);
  EXPECT_EQ(answer(many), Code::applied);
  EXPECT_EQ(balance("bob"), 100);
}

TEST_P(LedgerConformance, a_refusal_for_lack_of_money_says_how_much_there_is) {
  create_with("alice", 100);
  ASSERT_EQ(answer(hold("hold-1", "alice", 30)), Code::applied);
  const Refusal refusal = refusal_in(apply(withdraw("op-1", "alice", 71)));
  EXPECT_EQ(refusal.wallet, WalletId("alice"));
  EXPECT_EQ(refusal.available, MinorUnits{70});
  EXPECT_EQ(refusal.needed, MinorUnits{71});
  EXPECT_EQ(answer(withdraw("op-1", "alice", 70)), Code::applied);
}

TEST_P(LedgerConformance, two_withdrawals_that_only_one_can_have) {
  create_with("alice", 100);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 80)), Code::applied);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 80)), Code::insufficient_funds);
  EXPECT_EQ(balance("alice"), 20);
}

TEST_P(LedgerConformance, an_overdraft_goes_down_to_its_limit_and_not_further) {
  create({wallet("alice").min_balance(-50), wallet("bob").unlimited()});
  EXPECT_EQ(answer(withdraw("op-1", "alice", 51)), Code::insufficient_funds);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 50)), Code::applied);
  EXPECT_EQ(answer(withdraw("op-3", "alice", 1)), Code::insufficient_funds);
  EXPECT_EQ(answer(withdraw("op-4", "bob", INT64_MAX)), Code::applied);
  EXPECT_EQ(answer(withdraw("op-5", "bob", 2)), Code::limit_exceeded);
  EXPECT_EQ(balance("bob"), -INT64_MAX);
}

TEST_P(LedgerConformance, legs_apply_in_order_and_all_or_none) {
  create_with("alice", 100);
  create({wallet("bob"), wallet("carol")});
  EXPECT_EQ(answer(transfer("op-1", {{"bob", "carol", 100}, {"alice", "bob", 100}})),
            Code::insufficient_funds);
  EXPECT_EQ(answer(transfer("op-1", {{"alice", "bob", 100}, {"bob", "carol", 101}})),
            Code::insufficient_funds);
  EXPECT_EQ(balance("alice"), 100);
  const Receipt receipt =
      receipt_in(apply(transfer("op-1", {{"alice", "bob", 100}, {"bob", "carol", 100}})));
  EXPECT_EQ(receipt.legs.at(0).to_balance, MinorUnits{100});
  EXPECT_EQ(receipt.legs.at(1).from_balance, MinorUnits{0});
  EXPECT_EQ(receipt.legs.at(1).from_version, 2U);
  EXPECT_EQ(balance("carol"), 100);
  EXPECT_EQ(wallet_now("bob").version, 2U);
}

TEST_P(LedgerConformance, conditions_are_checked_against_what_is_there) {
  create_with("alice", 100);
  create_with("bob", 0);
  ASSERT_EQ(answer(hold("hold-1", "alice", 30)), Code::applied);
  const auto with = [](auto set) {
    Condition condition;
    condition.wallet = WalletId("alice");
    set(condition);
    return Operation(transfer("op-1", "alice", "bob", 1).condition(condition));
  };
  EXPECT_EQ(answer(with([](Condition& c) { c.version = 2; })), Code::condition_failed);
  EXPECT_EQ(answer(with([](Condition& c) { c.min_balance = MinorUnits{101}; })),
            Code::condition_failed);
  EXPECT_EQ(answer(with([](Condition& c) { c.max_balance = MinorUnits{99}; })),
            Code::condition_failed);
  EXPECT_EQ(answer(with([](Condition& c) { c.min_available = MinorUnits{71}; })),
            Code::condition_failed);
  const Refusal refusal = refusal_in(apply(with([](Condition& c) { c.version = 2; })));
  ASSERT_EQ(refusal.failures.size(), 1U);
  EXPECT_EQ(refusal.failures[0].wallet, WalletId("alice"));
  EXPECT_EQ(refusal.failures[0].field, "version");
  EXPECT_EQ(refusal.failures[0].expected, "2");
  EXPECT_EQ(refusal.failures[0].actual, "1");
  EXPECT_EQ(answer(with([](Condition& c) {
              c.version = 1;
              c.min_balance = MinorUnits{100};
              c.max_balance = MinorUnits{100};
              c.min_available = MinorUnits{70};
            })),
            Code::applied);
}

TEST_P(LedgerConformance, a_condition_on_a_bystander_counts_too) {
  create_with("alice", 100);
  create_with("bob", 0);
  create_with("watched", 5);
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 1).if_version("watched", 0)),
            Code::condition_failed);
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 1).if_version("watched", 1)), Code::applied);
  ASSERT_EQ(answer(deposit("op-2", "watched", 1)), Code::applied);
  EXPECT_EQ(answer(transfer("op-3", "alice", "bob", 1).if_version("watched", 1)),
            Code::condition_failed);
}

TEST_P(LedgerConformance, fences_let_the_newest_holder_write) {
  create_with("alice", 100);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 1).fence("lock", 33, "a")), Code::applied);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1).fence("lock", 34, "b")), Code::applied);
  const Refusal refusal = refusal_in(apply(withdraw("op-3", "alice", 1).fence("lock", 33, "a")));
  EXPECT_EQ(refusal.code, Code::stale_fence);
  EXPECT_EQ(refusal.newest_token, FenceToken{34});
  EXPECT_EQ(answer(withdraw("op-4", "alice", 1).fence("lock", 34, "b")), Code::applied);
  EXPECT_EQ(answer(withdraw("op-5", "alice", 1).fence("lock", 34)), Code::stale_fence);
  EXPECT_EQ(answer(withdraw("op-6", "alice", 1).fence("other", 1, "a")), Code::applied);
  // A repeat is known before any fence is looked at.
  EXPECT_EQ(answer(withdraw("op-1", "alice", 1).fence("lock", 33, "a")), Code::already_applied);
  EXPECT_EQ(balance("alice"), 96);
}

TEST_P(LedgerConformance, a_refused_attempt_does_not_move_its_fence) {
  create_with("alice", 100);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 101).fence("lock", 50, "a")),
            Code::insufficient_funds);
  EXPECT_EQ(answer(withdraw("op-2", "alice", 1).fence("lock", 40, "b").fence("other", 1, "b")),
            Code::applied);
  // One of two fences is stale: neither moves.
  EXPECT_EQ(answer(withdraw("op-3", "alice", 1).fence("other", 9, "a").fence("lock", 39, "a")),
            Code::stale_fence);
  EXPECT_EQ(answer(withdraw("op-4", "alice", 1).fence("other", 2, "b")), Code::applied);
}

TEST_P(LedgerConformance, the_earlier_refusal_wins) {
  create_with("alice", 100);
  create({wallet("usd").in("USD"), wallet("frozen")});
  ASSERT_EQ(answer(deposit("op-known", "alice", 1).fence("lock", 5, "a")), Code::applied);
  patch("frozen", WalletStatus::frozen);
  EXPECT_EQ(answer(deposit("op-known", "nobody", 9).fence("lock", 4, "a")),
            Code::operation_mismatch);
  EXPECT_EQ(answer(transfer("op", "alice", "nobody", 999).fence("lock", 4, "a")),
            Code::stale_fence);
  EXPECT_EQ(answer(transfer("op", {{"alice", "usd", 999}, {"alice", "nobody", 1}})),
            Code::wallet_not_found);
  EXPECT_EQ(answer(transfer("op", {{"alice", "usd", 999}, {"alice", "frozen", 0}})),
            Code::wallet_frozen);
  EXPECT_EQ(answer(transfer("op", "alice", "usd", 999)), Code::currency_mismatch);
  EXPECT_EQ(answer(withdraw("op", "alice", 999).if_version("alice", 77)), Code::condition_failed);
}

TEST_P(LedgerConformance, wallets_are_created_once) {
  EXPECT_FALSE(must(ledger().create_wallet(wallet("alice").min_balance(-5))).existed);
  EXPECT_TRUE(must(ledger().create_wallet(wallet("alice").min_balance(-5))).existed);
  const auto other_limit = ledger().create_wallet(wallet("alice"));
  ASSERT_FALSE(other_limit);
  EXPECT_EQ(other_limit.error().code, Code::wallet_exists);
  const auto other_currency = ledger().create_wallet(wallet("alice").in("USD").min_balance(-5));
  ASSERT_FALSE(other_currency);
  EXPECT_EQ(other_currency.error().code, Code::wallet_exists);
  for (const NewWallet& bad :
       {wallet("@mine").build(), wallet("").build(), wallet("x").in("NOPE1").build()}) {
    const auto refused = ledger().create_wallet(bad);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::invalid_request);
  }
}

TEST_P(LedgerConformance, a_wallet_with_money_or_holds_is_not_closed) {
  create_with("alice", 10);
  WalletPatch closing;
  closing.status = WalletStatus::closed;
  const std::string before = everything();
  EXPECT_TRUE(
      std::holds_alternative<Refusal>(must(ledger().patch_wallet(WalletId("alice"), closing))));
  EXPECT_EQ(everything(), before);
  ASSERT_EQ(answer(withdraw("op-1", "alice", 10)), Code::applied);
  EXPECT_TRUE(
      std::holds_alternative<Wallet>(must(ledger().patch_wallet(WalletId("alice"), closing))));
  EXPECT_EQ(answer(deposit("op-2", "alice", 1)), Code::wallet_closed);
}

TEST_P(LedgerConformance, a_frozen_wallet_is_used_again_when_it_thaws) {
  create_with("alice", 10);
  patch("alice", WalletStatus::frozen);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 1)), Code::wallet_frozen);
  patch("alice", WalletStatus::active);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 1)), Code::applied);
}

TEST_P(LedgerConformance, a_hold_is_captured_in_parts_until_nothing_is_left) {
  create_with("alice", 100);
  create_with("shop", 0);
  EXPECT_EQ(answer(hold("hold-1", "alice", 60).to("shop")), Code::applied);
  EXPECT_EQ(held("alice"), 60);
  EXPECT_EQ(answer(withdraw("op-1", "alice", 41)), Code::insufficient_funds);
  EXPECT_EQ(answer(capture("op-2", "hold-1", 20)), Code::applied);
  EXPECT_EQ(answer(capture("op-2", "hold-1", 20)), Code::already_applied);
  EXPECT_EQ(balance("shop"), 20);
  EXPECT_EQ(held("alice"), 40);
  EXPECT_EQ(answer(capture("op-3", "hold-1")), Code::applied);
  EXPECT_EQ(balance("shop"), 60);
  EXPECT_EQ(held("alice"), 0);
  EXPECT_EQ(answer(capture("op-4", "hold-1", 1)), Code::hold_not_open);
  EXPECT_EQ(answer(void_hold("op-5", "hold-1")), Code::hold_not_open);
}

TEST_P(LedgerConformance, a_capture_of_more_than_remains_leaves_no_trace) {
  create_with("alice", 100);
  ASSERT_EQ(answer(hold("hold-1", "alice", 60)), Code::applied);
  ASSERT_EQ(answer(capture("op-1", "hold-1", 20)), Code::applied);
  const std::string before = everything();
  const Code refused = answer(capture("op-2", "hold-1", 41));
  EXPECT_TRUE(is_business_refusal(refused)) << to_string(refused);
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(answer(capture("op-2", "hold-1", 40)), Code::applied);
}

TEST_P(LedgerConformance, an_expired_hold_refuses_nobody_and_cannot_be_captured) {
  create_with("alice", 100);
  ASSERT_EQ(answer(hold("hold-1", "alice", 100).expires_in(std::chrono::microseconds(1))),
            Code::applied);
  const Timestamp written = system_clock().wall_now();
  while (system_clock().wall_now() < written + std::chrono::milliseconds(2)) {
    std::this_thread::yield();
  }
  EXPECT_EQ(answer(capture("op-1", "hold-1")), Code::hold_not_open);
  EXPECT_FALSE(must(must(store().inner().snapshot())->find_operation(OperationId("op-1"))));
  EXPECT_EQ(answer(withdraw("op-2", "alice", 100)), Code::applied);
  EXPECT_EQ(balance("alice"), 0);
  EXPECT_EQ(held("alice"), 0);
  EXPECT_EQ(must_have(must(ledger().snapshot())->find_hold(OperationId("hold-1"))).status,
            HoldStatus::expired);
}

TEST_P(LedgerConformance, expired_holds_are_ended_when_asked) {
  create_with("alice", 100);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(answer(hold("hold-" + std::to_string(i), "alice", 10)
                         .expires_in(i < 3 ? std::chrono::microseconds(1) : std::chrono::hours(1))),
              Code::applied);
  }
  const Timestamp written = system_clock().wall_now();
  while (system_clock().wall_now() < written + std::chrono::milliseconds(2)) {
    std::this_thread::yield();
  }
  static_cast<void>(must(ledger().expire_holds()));
  EXPECT_EQ(held("alice"), 20);
  EXPECT_EQ(must(ledger().expire_holds()), 0U);
}

TEST_P(LedgerConformance, a_reversal_undoes_once_and_under_the_same_rules) {
  create_with("alice", 100);
  create({wallet("bob"), wallet("carol")});
  ASSERT_EQ(answer(transfer("op-1", {{"alice", "bob", 60}, {"bob", "carol", 60}})), Code::applied);
  ASSERT_EQ(answer(withdraw("op-2", "carol", 1)), Code::applied);
  EXPECT_EQ(answer(reverse("op-3", "op-1")), Code::insufficient_funds);
  ASSERT_EQ(answer(deposit("op-4", "carol", 1)), Code::applied);
  const auto reversed = apply(reverse("op-3", "op-1"));
  EXPECT_EQ(code_of(reversed), Code::applied);
  EXPECT_EQ(receipt_in(reversed).legs.at(0).from, WalletId("carol"));
  EXPECT_EQ(receipt_in(reversed).legs.at(1).to, WalletId("alice"));
  EXPECT_EQ(balance("alice"), 100);
  EXPECT_EQ(balance("carol"), 0);
  EXPECT_EQ(answer(reverse("op-3", "op-1")), Code::already_applied);
  EXPECT_EQ(answer(reverse("op-5", "op-1")), Code::already_reversed);
  const auto target = apply(transfer("op-1", {{"alice", "bob", 60}, {"bob", "carol", 60}}));
  ASSERT_TRUE(receipt_in(target).reversed_by);
  EXPECT_EQ(*receipt_in(target).reversed_by, OperationId("op-3"));
}

TEST_P(LedgerConformance, deposits_withdrawals_and_captures_are_reversed_too) {
  create_with("alice", 100);
  ASSERT_EQ(answer(deposit("op-1", "alice", 10)), Code::applied);
  EXPECT_EQ(answer(reverse("op-2", "op-1")), Code::applied);
  ASSERT_EQ(answer(withdraw("op-3", "alice", 10)), Code::applied);
  EXPECT_EQ(answer(reverse("op-4", "op-3")), Code::applied);
  ASSERT_EQ(answer(hold("hold-1", "alice", 10)), Code::applied);
  ASSERT_EQ(answer(capture("op-5", "hold-1", 10)), Code::applied);
  EXPECT_EQ(answer(reverse("op-6", "op-5")), Code::applied);
  EXPECT_EQ(balance("alice"), 100);
  EXPECT_EQ(held("alice"), 0);
}

TEST_P(LedgerConformance, a_dry_run_decides_everything_and_keeps_nothing) {
  create_with("alice", 100);
  create_with("bob", 0);
  const std::string before = everything();
  CallOptions dry;
  dry.dry_run = true;
  const auto result = apply(transfer("op-1", "alice", "bob", 60).fence("lock", 9, "me"), dry);
  EXPECT_EQ(code_of(result), Code::applied);
  EXPECT_EQ(receipt_in(result).legs.at(0).from_balance, MinorUnits{40});
  EXPECT_EQ(answer(hold("op-2", "alice", 100), dry), Code::applied);
  EXPECT_EQ(answer(deposit("fund-alice", "alice", 100), dry), Code::already_applied);
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(answer(transfer("op-1", "alice", "bob", 100).fence("lock", 1, "you")), Code::applied);
}

TEST_P(LedgerConformance, currencies_are_added_and_found) {
  EXPECT_TRUE(must(ledger().add_currency({CurrencyCode("PTS"), 3})));
  EXPECT_FALSE(must(ledger().add_currency({CurrencyCode("PTS"), 3})));
  EXPECT_FALSE(must(ledger().add_currency({CurrencyCode("EUR"), 2}))) << "built in as it is";
  for (const Currency& taken :
       {Currency{CurrencyCode("PTS"), 4}, Currency{CurrencyCode("EUR"), 3}}) {
    const auto added = ledger().add_currency(taken);
    ASSERT_FALSE(added) << taken.code.view() << static_cast<int>(taken.exponent);
    EXPECT_EQ(added.error().code, Code::invalid_request);
  }
  EXPECT_EQ(must_have(ledger().find_currency(CurrencyCode("PTS"))).exponent, 3);
  EXPECT_EQ(must_have(ledger().find_currency(CurrencyCode("KWD"))).exponent, 3);
  EXPECT_FALSE(must(ledger().find_currency(CurrencyCode("QQQ9"))));
  create({wallet("alice").in("PTS")});
  EXPECT_EQ(answer(deposit("op-1", "alice", 5)), Code::applied);
}

}  // namespace
}  // namespace mizan::conformance
