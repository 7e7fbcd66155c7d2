#include "json/answers.hpp"

#include "json/request_objects.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>

// What a server writes a client reads: written again it is the same text.

namespace mizan::json {
namespace {

constexpr Timestamp noon{std::chrono::microseconds{1'772'366'400'000'001}};

Node node_of(const std::string& text) {
  auto node = parse_document(text);
  EXPECT_TRUE(node.has_value()) << text;
  return node ? std::move(*node) : Node();
}

std::string first_pointer(const InvalidRequest& invalid) {
  return invalid.problems.front().pointer;
}

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
  hold.amount = MinorUnits{100};
  hold.captured = MinorUnits{40};
  hold.expires_at = noon;
  hold.created_at = noon;
  return hold;
}

TEST(Answers, wallets_come_back_as_they_were) {
  Wallet wallet = alice();
  for (const MinBalance limit :
       {MinBalance{MinorUnits{0}}, MinBalance{MinorUnits{-5}}, MinBalance{}}) {
    wallet.min_balance = limit;
    const std::string text = to_object(wallet).text();
    auto read = read_wallet(node_of(text));
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(to_object(*read).text(), text);
  }
}

TEST(Answers, the_world_comes_back_beyond_64_bits) {
  WorldWallet world{WalletId{"@world/EUR"}, {CurrencyCode{"EUR"}, 2}, 0};
  world.balance = WideUnits{std::numeric_limits<std::int64_t>::min()} * 10;
  const std::string text = to_object(world).text();
  auto read = read_world_wallet(node_of(text));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(to_object(*read).text(), text);
}

TEST(Answers, receipts_come_back_as_they_were) {
  Receipt receipt;
  receipt.id = OperationId{"op-1"};
  receipt.type = OperationType::capture;
  receipt.applied_at = noon;
  receipt.legs.push_back({.from = WalletId{"alice"},
                          .to = WalletId{"@world/EUR"},
                          .amount = MinorUnits{40},
                          .currency = CurrencyCode{"EUR"},
                          .from_balance = MinorUnits{-7},
                          .from_version = 9,
                          .to_balance = {},
                          .to_version = {}});
  receipt.metadata = Metadata::make({{"a", "1"}, {"b", "\xc3\xa4\n"}}).value();
  receipt.hold = std::make_shared<const Hold>(open_hold());
  receipt.reverses = std::make_shared<const OperationId>("op-0");
  receipt.reversed_by = std::make_shared<const OperationId>("op-2");
  for (const Code outcome : {Code::applied, Code::already_applied}) {
    const std::string text = to_object(receipt, outcome).text();
    auto read = read_receipt(node_of(text));
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(read->replayed, outcome == Code::already_applied);
    EXPECT_EQ(to_object(read->receipt, outcome).text(), text);
  }
}

TEST(Answers, a_hold_tells_its_currency_where_the_world_receives) {
  auto read = read_hold(node_of(to_object(open_hold()).text()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->currency.view(), "EUR");
}

TEST(Answers, entries_leases_lists_and_balances_come_back) {
  Entry entry;
  entry.wallet = WalletId{"alice"};
  entry.version = 2;
  entry.operation = OperationId{"op-1"};
  entry.change = MinorUnits{-60};
  entry.balance = MinorUnits{40};
  entry.counterparty = WalletId{"@world/EUR"};
  entry.at = noon;
  const std::string list = list_object(Array().add(to_object(entry)), "c").text();
  const Node node = node_of(list);
  auto read = read_list(node);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->next_cursor, "c");
  auto again = read_entry(read->items->front());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(to_object(*again).text(), to_object(entry).text());

  const Fence fence{Resource{"r"}, FenceToken{7}, LockOwner{"o-1"}};
  auto lease = read_lease(node_of(lease_object(fence, std::chrono::milliseconds{9'950}).text()));
  ASSERT_TRUE(lease.has_value());
  EXPECT_EQ(lease->lease.token, FenceToken{7});
  EXPECT_EQ(lease->lease.remaining, std::chrono::milliseconds{9'950});

  const BalanceAt before{MinorUnits{0}, 0, std::nullopt};
  auto balance = read_balance_at(node_of(to_object(before).text()));
  ASSERT_TRUE(balance.has_value());
  EXPECT_EQ(to_object(*balance).text(), to_object(before).text());
}

TEST(Answers, problems_come_back_with_their_facts) {
  Refusal refusal;
  refusal.code = Code::insufficient_funds;
  refusal.detail = "d";
  refusal.pointer = "/legs/0/amount";
  refusal.wallet = WalletId{"alice"};
  refusal.available = MinorUnits{5};
  refusal.needed = MinorUnits{7};
  Refusal unmet;
  unmet.code = Code::condition_failed;
  unmet.pointer = "/conditions/1/version";
  unmet.failures = {{WalletId{"alice"}, "version", "7", "8", 1},
                    {WalletId{"bob"}, "min_balance", "1", "0", 12}};
  Refusal stale;
  stale.code = Code::stale_fence;
  stale.newest_token = FenceToken{34};
  for (const Refusal& one : {refusal, unmet, stale}) {
    const std::string text = problem_object(one, {OperationId{"op"}, "r-1"}).text();
    auto read = read_problem(node_of(text));
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(read->operation, OperationId{"op"});
    EXPECT_FALSE(read->may_be_applied);
    EXPECT_EQ(problem_object(read->refusal, {OperationId{"op"}, "r-1"}).text(), text);
  }
}

TEST(Answers, what_is_missing_or_wrong_is_named) {
  const auto pointer_of = [](const std::string& text) {
    auto read = read_receipt(node_of(text));
    return read ? std::string("accepted") : first_pointer(read.error());
  };
  const std::string head = R"({"id":"a","type":"deposit","applied_at":"2026-03-01T12:00:00Z",)";
  EXPECT_EQ(pointer_of("[]"), "");
  EXPECT_EQ(pointer_of(R"({"id":"","type":"deposit"})"), "/id");
  EXPECT_EQ(pointer_of(head + R"("legs":[{}],"metadata":{},"outcome":"applied"})"), "/legs/0/from");
  EXPECT_EQ(pointer_of(head + R"("legs":[],"metadata":{},"outcome":"refused"})"), "/outcome");
  EXPECT_EQ(pointer_of(head + R"("legs":[],"metadata":{},"outcome":"applied","new":1})"),
            "accepted");
}

/// One operation of each type, with all that it can carry.
std::vector<Operation> all_operations() {
  const CurrencyCode eur{"EUR"};
  const WalletId a{"a/1"};
  const WalletId b{"b"};
  std::vector<OperationBody> bodies{
      Transfer{{{a, b, MinorUnits{5}, eur}, {b, a, MinorUnits{1}, {}}}},
      Deposit{a, MinorUnits{5}, eur},
      Withdraw{a, MinorUnits{5}, {}},
      CreateHold{a, MinorUnits{5}, b, std::chrono::seconds{90}, eur},
      CreateHold{a, MinorUnits{5}, {}, std::chrono::milliseconds{1'500}, {}},
      CaptureHold{OperationId{"h"}, MinorUnits{5}},
      CaptureHold{OperationId{"h"}, std::nullopt},
      VoidHold{OperationId{"h"}},
      Reverse{OperationId{"o"}}};
  std::vector<Operation> all;
  for (OperationBody& body : bodies) {
    Operation operation;
    operation.id = OperationId{"op-1"};
    operation.body = std::move(body);
    operation.metadata = Metadata::make({{"k", "v"}}).value();
    Condition condition;
    condition.wallet = a;
    condition.version = 7;
    condition.min_available = MinorUnits{-3};
    operation.conditions = {condition};
    operation.fences = {{Resource{"r"}, FenceToken{3}, LockOwner{"o"}},
                        {Resource{"s"}, FenceToken{4}, {}}};
    all.push_back(std::move(operation));
  }
  return all;
}

// The writer of the server's side stands in for equality: the same text is the same operation.
TEST(RequestObjects, are_read_back_as_what_they_were_made_of) {
  for (const Operation& operation : all_operations()) {
    const std::string item = item_object(operation).text();
    const auto batch = parse_batch("{\"operations\":[" + item + "]}");
    ASSERT_TRUE(batch.has_value());
    ASSERT_TRUE(batch->operations.front().has_value()) << item;
    EXPECT_EQ(item_object(*batch->operations.front()).text(), item);

    OperationContext context;
    context.type = type_of(operation.body);
    context.key = operation.id;
    if (context.type == OperationType::capture || context.type == OperationType::void_hold) {
      context.subject = OperationId{"h"};
    }
    if (context.type == OperationType::reverse) context.subject = OperationId{"o"};
    const std::string body = request_object(operation).text();
    const auto alone = parse_operation(body, context);
    ASSERT_TRUE(alone.has_value()) << body;
    EXPECT_EQ(item_object(alone->operation).text(), item);
  }
}

TEST(RequestObjects, of_wallets_are_read_back) {
  NewWallet wallet{.id = WalletId{"a"}, .currency = CurrencyCode{"EUR"}, .metadata = {}};
  wallet.min_balance = std::nullopt;
  const auto read = parse_new_wallet(request_object(wallet).text());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->min_balance, std::nullopt);
  WalletPatch patch;
  patch.status = WalletStatus::frozen;
  const auto patched = parse_wallet_patch(request_object(patch).text());
  ASSERT_TRUE(patched.has_value());
  EXPECT_EQ(patched->status, WalletStatus::frozen);
}

}  // namespace
}  // namespace mizan::json
