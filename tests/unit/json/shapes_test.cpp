#include "json/shapes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

// The expected texts are the shapes of the specification, section 8, written by hand.

namespace mizan::json {
namespace {

constexpr Timestamp noon{std::chrono::microseconds{1'772'366'400'000'001}};

Wallet alice() {
  Wallet wallet;
  wallet.id = WalletId{"alice"};
  wallet.currency = {CurrencyCode{"EUR"}, 2};
  wallet.balance = MinorUnits{1000};
  wallet.held = MinorUnits{250};
  wallet.version = 3;
  wallet.metadata = Metadata::make({{"k", "v"}}).value();
  wallet.created_at = noon;
  return wallet;
}

Hold open_hold() {
  Hold hold;
  hold.id = OperationId{"h-1"};
  hold.wallet = WalletId{"alice"};
  hold.to = WalletId{"@world/EUR"};
  hold.currency = CurrencyCode{"EUR"};
  hold.amount = MinorUnits{100};
  hold.captured = MinorUnits{40};
  hold.created_at = noon;
  return hold;
}

Receipt deposit_receipt() {
  Receipt receipt;
  receipt.id = OperationId{"op-1"};
  receipt.type = OperationType::deposit;
  receipt.applied_at = noon;
  LegReceipt leg;
  leg.from = WalletId{"@world/EUR"};
  leg.to = WalletId{"alice"};
  leg.amount = MinorUnits{1000};
  leg.currency = CurrencyCode{"EUR"};
  leg.to_balance = MinorUnits{1000};
  leg.to_version = 1;
  receipt.legs.push_back(leg);
  return receipt;
}

TEST(Shapes, of_a_wallet) {
  EXPECT_EQ(to_object(alice()).text(),
            R"({"id":"alice","currency":"EUR","exponent":2,"balance":"1000","held":"250",)"
            R"("available":"750","min_balance":"0","status":"active","version":3,)"
            R"("metadata":{"k":"v"},"created_at":"2026-03-01T12:00:00.000001Z"})");
}

TEST(Shapes, of_a_wallet_without_a_limit) {
  Wallet wallet = alice();
  wallet.min_balance = std::nullopt;
  wallet.balance = MinorUnits{-5};
  wallet.held = MinorUnits{0};
  const std::string text = to_object(wallet).text();
  EXPECT_NE(text.find(R"("available":"-5","min_balance":null)"), std::string::npos) << text;
}

TEST(Shapes, of_a_world_wallet_beyond_64_bits) {
  WorldWallet world;
  world.id = WalletId{"@world/EUR"};
  world.currency = {CurrencyCode{"EUR"}, 2};
  world.balance = WideUnits{std::numeric_limits<std::int64_t>::min()} * 10;
  EXPECT_EQ(to_object(world).text(),
            R"({"id":"@world/EUR","currency":"EUR","exponent":2,)"
            R"("balance":"-92233720368547758080","held":"0",)"
            R"("available":"-92233720368547758080","min_balance":null,"status":"active",)"
            R"("version":null,"metadata":{},"created_at":null})");
}

TEST(Shapes, of_an_operation) {
  EXPECT_EQ(to_object(deposit_receipt(), Code::applied).text(),
            R"({"id":"op-1","type":"deposit","outcome":"applied",)"
            R"("applied_at":"2026-03-01T12:00:00.000001Z","legs":[{"from":"@world/EUR",)"
            R"("to":"alice","amount":"1000","currency":"EUR","from_balance":null,)"
            R"("from_version":null,"to_balance":"1000","to_version":1}],"metadata":{}})");
}

TEST(Shapes, of_a_replay_differ_in_the_outcome_only) {
  std::string first = to_object(deposit_receipt(), Code::applied).text();
  const std::string applied = R"("outcome":"applied")";
  first.replace(first.find(applied), applied.size(), R"("outcome":"already_applied")");
  EXPECT_EQ(to_object(deposit_receipt(), Code::already_applied).text(), first);
}

TEST(Shapes, of_an_operation_with_hold_and_reversal) {
  Receipt receipt;
  receipt.id = OperationId{"op-2"};
  receipt.type = OperationType::void_hold;
  receipt.applied_at = noon;
  receipt.hold = std::make_shared<const Hold>(open_hold());
  receipt.reverses = std::make_shared<const OperationId>("op-1");
  receipt.reversed_by = std::make_shared<const OperationId>("op-3");
  EXPECT_EQ(to_object(receipt, Code::applied).text(),
            R"({"id":"op-2","type":"void","outcome":"applied",)"
            R"("applied_at":"2026-03-01T12:00:00.000001Z","legs":[],"metadata":{},"hold":)" +
                to_object(open_hold()).text() + R"(,"reverses":"op-1","reversed_by":"op-3"})");
}

TEST(Shapes, of_a_hold) {
  EXPECT_EQ(to_object(open_hold()).text(),
            R"({"id":"h-1","wallet":"alice","to":"@world/EUR","amount":"100","captured":"40",)"
            R"("remaining":"60","status":"open","expires_at":null,)"
            R"("created_at":"2026-03-01T12:00:00.000001Z"})");
}

TEST(Shapes, of_an_entry) {
  Entry entry;
  entry.wallet = WalletId{"alice"};
  entry.version = 2;
  entry.operation = OperationId{"op-1"};
  entry.type = OperationType::transfer;
  entry.change = MinorUnits{-60};
  entry.balance = MinorUnits{40};
  entry.counterparty = WalletId{"bob"};
  entry.at = noon;
  EXPECT_EQ(to_object(entry).text(),
            R"({"wallet":"alice","version":2,"operation":"op-1","type":"transfer",)"
            R"("change":"-60","balance":"40","counterparty":"bob",)"
            R"("at":"2026-03-01T12:00:00.000001Z","metadata":{}})");
}

TEST(Shapes, of_a_lease_and_a_list) {
  const Fence fence{Resource{"wallet:alice"}, FenceToken{7}, LockOwner{"o-1"}};
  EXPECT_EQ(lease_object(fence, std::chrono::milliseconds{9'950}).text(),
            R"({"resource":"wallet:alice","token":7,"owner":"o-1","expires_in_ms":9950})");
  EXPECT_EQ(list_object(Array().add(1), "c").text(), R"({"items":[1],"next_cursor":"c"})");
  EXPECT_EQ(list_object(Array(), std::nullopt).text(), R"({"items":[],"next_cursor":null})");
}

TEST(Shapes, of_reports) {
  EXPECT_EQ(to_object(Finding{Finding::Level::warning, "synchronous", "is OFF"}).text(),
            R"({"level":"warning","name":"synchronous","detail":"is OFF"})");
  EXPECT_EQ(to_object(Currency{CurrencyCode{"JPY"}, 0}).text(), R"({"code":"JPY","exponent":0})");
  EXPECT_EQ(to_object(BalanceAt{MinorUnits{5}, 2, noon}).text(),
            R"({"balance":"5","version":2,"at":"2026-03-01T12:00:00.000001Z"})");
  VerifyReport report;
  report.wallets = 2;
  report.violations.push_back({"I1", "alice", Sequence{9}, "the sum is 1"});
  report.violations.push_back({"I2", "", std::nullopt, "d"});
  EXPECT_EQ(to_object(report).text(),
            R"({"wallets":2,"operations":0,"entries":0,"holds":0,"violations":[)"
            R"({"invariant":"I1","wallet":"alice","sequence":9,"detail":"the sum is 1"},)"
            R"({"invariant":"I2","wallet":null,"sequence":null,"detail":"d"}]})");
}

}  // namespace
}  // namespace mizan::json
