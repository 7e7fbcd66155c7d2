#include "prover/workers/protocol.hpp"

#include "prover/checkers/checkers.hpp"
#include "testkit/builders.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace mizan::prover {
namespace {

TEST(LineProtocol, carries_a_transfer_with_its_fence) {
  const Operation operation =
      testkit::transfer("id-1", {{"a", "b", 6}, {"b", "c", 1}}).fence("wallet:a", 5, "me");
  const auto request = decode_request(encode_request(3, operation));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->ledger, 3U);
  EXPECT_EQ(request->operation.id, operation.id);
  const auto& legs = std::get<Transfer>(request->operation.body).legs;
  ASSERT_EQ(legs.size(), 2U);
  EXPECT_EQ(legs[1].from.view(), "b");
  EXPECT_EQ(legs[1].amount, MinorUnits{1});
  ASSERT_EQ(request->operation.fences.size(), 1U);
  EXPECT_EQ(request->operation.fences[0].token, FenceToken{5});
  EXPECT_EQ(request->operation.fences[0].owner.view(), "me");
}

TEST(LineProtocol, carries_deposits_and_withdrawals) {
  const auto deposit = decode_request(encode_request(0, testkit::deposit("d", "a", 5)));
  ASSERT_TRUE(deposit);
  EXPECT_EQ(std::get<Deposit>(deposit->operation.body).wallet.view(), "a");
  const auto withdraw = decode_request(encode_request(0, testkit::withdraw("w", "a", -5)));
  ASSERT_TRUE(withdraw);
  EXPECT_EQ(std::get<Withdraw>(withdraw->operation.body).amount, MinorUnits{-5});
}

TEST(LineProtocol, carries_a_receipt_to_the_letter) {
  Receipt receipt;
  receipt.id = OperationId{"id-1"};
  receipt.type = OperationType::withdraw;
  receipt.applied_at = testkit::at_second(5);
  LegReceipt leg;
  leg.from = WalletId{"a"};
  leg.to = WalletId{"@world/EUR"};
  leg.amount = MinorUnits{7};
  leg.currency = CurrencyCode{"EUR"};
  leg.from_balance = MinorUnits{93};
  leg.from_version = 2;
  receipt.legs.push_back(leg);
  const auto answer = decode_answer(encode_answer(Outcome{AlreadyApplied{receipt}}));
  ASSERT_TRUE(answer);
  const auto* again = std::get_if<AlreadyApplied>(&*answer);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(receipt_text(again->receipt), receipt_text(receipt));
  EXPECT_FALSE(again->receipt.legs.front().to_version.has_value());
}

TEST(LineProtocol, carries_the_facts_of_a_refusal) {
  Refusal refusal;
  refusal.code = Code::insufficient_funds;
  refusal.available = MinorUnits{40};
  refusal.needed = MinorUnits{41};
  refusal.detail = "wallet a has 40";
  const auto answer = decode_answer(
      encode_answer(Outcome{Refused{std::make_shared<const Refusal>(refusal), true}}));
  ASSERT_TRUE(answer);
  const auto& refused = std::get<Refused>(*answer);
  EXPECT_TRUE(refused.replayed);
  EXPECT_EQ(refused.refusal->code, Code::insufficient_funds);
  EXPECT_EQ(refused.refusal->available, MinorUnits{40});
  EXPECT_FALSE(refused.refusal->newest_token.has_value());
  EXPECT_EQ(refused.refusal->detail, "wallet a has 40");
}

TEST(LineProtocol, keeps_an_unknown_fate_unknown) {
  const Error lost{Code::unknown, Certainty::unknown, Retry::after_backoff, "commit", "no answer"};
  const auto answer = decode_answer(encode_answer(lost));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::unknown);
  EXPECT_EQ(answer.error().certainty, Certainty::unknown);
}

TEST(LineProtocol, refuses_lines_that_are_cut_short) {
  const Operation operation = testkit::transfer("id-1", "a", "b", 6).fence("wallet:a", 5, "me");
  const std::string line = encode_request(0, operation);
  EXPECT_FALSE(decode_request(line.substr(0, line.rfind(' '))));
  EXPECT_FALSE(decode_request(""));
  EXPECT_FALSE(decode_request("x id-1 transfer 1 a b 6"));
  EXPECT_FALSE(decode_answer("applied id-1"));
  EXPECT_FALSE(decode_answer("nonsense"));
}

}  // namespace
}  // namespace mizan::prover
