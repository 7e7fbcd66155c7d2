#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/wallet.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

namespace mizan {
namespace {

TEST(Names, of_wallet_statuses_are_read_back) {
  EXPECT_EQ(to_string(WalletStatus::active), "active");
  EXPECT_EQ(to_string(WalletStatus::frozen), "frozen");
  EXPECT_EQ(to_string(WalletStatus::closed), "closed");
  for (const auto status : {WalletStatus::active, WalletStatus::frozen, WalletStatus::closed}) {
    EXPECT_EQ(parse_wallet_status(to_string(status)), status);
  }
  EXPECT_FALSE(parse_wallet_status("Active").has_value());
  EXPECT_FALSE(parse_wallet_status("").has_value());
}

TEST(Names, of_operation_types_are_read_back) {
  constexpr std::string_view names[] = {
      "transfer", "deposit", "withdraw", "hold", "capture", "void", "reverse"};
  std::uint8_t number = 1;
  for (const std::string_view name : names) {
    const std::optional<OperationType> type = parse_operation_type(name);
    ASSERT_TRUE(type.has_value()) << name;
    EXPECT_EQ(static_cast<std::uint8_t>(*type), number++);
    EXPECT_EQ(to_string(*type), name);
  }
  EXPECT_FALSE(parse_operation_type("void_hold").has_value());
  EXPECT_FALSE(parse_operation_type("Transfer").has_value());
}

TEST(Names, of_hold_statuses) {
  EXPECT_EQ(to_string(HoldStatus::open), "open");
  EXPECT_EQ(to_string(HoldStatus::captured), "captured");
  EXPECT_EQ(to_string(HoldStatus::voided), "voided");
  EXPECT_EQ(to_string(HoldStatus::expired), "expired");
}

TEST(OperationBody, knows_its_type) {
  EXPECT_EQ(type_of(Transfer{}), OperationType::transfer);
  EXPECT_EQ(type_of(Deposit{}), OperationType::deposit);
  EXPECT_EQ(type_of(Withdraw{}), OperationType::withdraw);
  EXPECT_EQ(type_of(CreateHold{}), OperationType::hold);
  EXPECT_EQ(type_of(CaptureHold{}), OperationType::capture);
  EXPECT_EQ(type_of(VoidHold{}), OperationType::void_hold);
  EXPECT_EQ(type_of(Reverse{}), OperationType::reverse);
}

TEST(Hold, has_something_left_only_while_it_is_open) {
  Hold hold;
  hold.amount = MinorUnits{100};
  hold.captured = MinorUnits{30};
  EXPECT_EQ(remaining(hold), MinorUnits{70});
  for (const auto status : {HoldStatus::captured, HoldStatus::voided, HoldStatus::expired}) {
    hold.status = status;
    EXPECT_EQ(remaining(hold), MinorUnits{0});
  }
}

TEST(Outcome, gives_its_code_and_its_receipt) {
  Receipt receipt;
  receipt.id = OperationId{"op-1"};
  const Outcome applied = Applied{receipt};
  const Outcome replayed = AlreadyApplied{receipt};
  auto refusal = std::make_shared<Refusal>();
  refusal->code = Code::insufficient_funds;
  const Outcome refused = Refused{refusal, false};
  EXPECT_EQ(code_of(applied), Code::applied);
  EXPECT_EQ(code_of(replayed), Code::already_applied);
  EXPECT_EQ(code_of(refused), Code::insufficient_funds);
  EXPECT_EQ(receipt_of(applied)->id.view(), "op-1");
  EXPECT_EQ(receipt_of(replayed)->id.view(), "op-1");
  EXPECT_EQ(receipt_of(refused), nullptr);
}

}  // namespace
}  // namespace mizan
