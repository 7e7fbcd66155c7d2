#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mizan::conformance {
namespace {

TEST_P(StoreConformance, claiming_a_new_id_answers_nothing) {
  auto transaction = begin();
  EXPECT_FALSE(claim(*transaction, "op-1"));
}

TEST_P(StoreConformance, claiming_a_recorded_id_answers_what_is_recorded) {
  create_with("alice", 100);
  auto transaction = begin();
  const auto operation = claim(*transaction, "fund-alice");
  ASSERT_TRUE(operation);
  EXPECT_FALSE(operation->refusal);
  EXPECT_EQ(operation->fingerprint, fingerprint_of("fund-alice"));
  EXPECT_EQ(operation->receipt.id, OperationId("fund-alice"));
  EXPECT_EQ(operation->receipt.type, OperationType::deposit);
  EXPECT_EQ(operation->receipt.applied_at, test_epoch());
  ASSERT_EQ(operation->receipt.legs.size(), 1U);
  const LegReceipt& leg = operation->receipt.legs[0];
  EXPECT_EQ(leg.from, WalletId("@world/EUR"));
  EXPECT_EQ(leg.to, WalletId("alice"));
  EXPECT_EQ(leg.amount, MinorUnits{100});
  EXPECT_EQ(leg.currency, CurrencyCode("EUR"));
  EXPECT_FALSE(leg.from_balance);
  EXPECT_FALSE(leg.from_version);
  EXPECT_EQ(leg.to_balance, MinorUnits{100});
  EXPECT_EQ(leg.to_version, 1U);
}

TEST_P(StoreConformance, many_ids_are_claimed_in_order) {
  create_with("alice", 0);
  apply({"alice"}, [](PlanBuilder& plan) {
    for (int i = 0; i < 600; i += 2) plan.deposit("op-" + std::to_string(i), "alice", i + 1);
  });
  std::vector<OperationId> ids;
  for (int i = 599; i >= 0; --i) ids.emplace_back("op-" + std::to_string(i));
  std::vector<const OperationId*> pointers;
  for (const OperationId& id : ids) pointers.push_back(&id);

  auto transaction = begin();
  const auto answers = must(transaction->claim(pointers));
  ASSERT_EQ(answers.size(), ids.size() / 2);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::size_t index = 2 * i + 1;  // Even numbers are recorded; the first id is odd.
    const std::int64_t number = 599 - static_cast<std::int64_t>(index);
    ASSERT_EQ(answers[i].index, index);
    EXPECT_EQ(answers[i].recorded.receipt.id, ids[index]);
    EXPECT_EQ(answers[i].recorded.receipt.legs.at(0).amount, MinorUnits{number + 1});
  }
}

TEST_P(StoreConformance, one_id_twice_in_a_plan_is_a_duplicate) {
  create_with("alice", 100);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    builder.deposit("op-1", "alice", 1).deposit("op-1", "alice", 1);
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
    EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-1"));
  }
  no_trace.check();
}

TEST_P(StoreConformance, one_id_in_two_transactions_is_a_duplicate_by_record_too) {
  create_with("alice", 100);
  deposit("op-1", "alice", 1);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    builder.refusal("op-1", Code::insufficient_funds);
    Plan plan = builder.build();
    const auto written = must(transaction->record(plan));
    ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
    EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-1"));
  }
  no_trace.check();
}

TEST_P(StoreConformance, ids_are_compared_byte_for_byte) {
  create_with("alice", 0);
  const std::string longest(64, 'x');
  const std::vector<std::string> ids = {"op",
                                        "OP",
                                        "Op",
                                        "0p",
                                        "'op'",
                                        "\"op\"",
                                        "op;--",
                                        "%",
                                        "_",
                                        "\\",
                                        "1",
                                        "01",
                                        "1.0",
                                        "1e0",
                                        "NULL",
                                        "0198c2a4-7d5f-7000-8000-00000000000a",
                                        "0198C2A4-7D5F-7000-8000-00000000000A",
                                        "0198c2a47d5f7000800000000000000a",
                                        "{0198c2a4-7d5f-7000-8000-00000000000a}",
                                        "ABCDEFGHIJKLMNOP",
                                        longest,
                                        longest.substr(1),
                                        "!~"};
  apply({"alice"}, [&](PlanBuilder& plan) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      plan.deposit(ids[i], "alice", static_cast<std::int64_t>(i) + 1);
    }
  });
  auto reader = snapshot();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const RecordedOperation operation = recorded(*reader, ids[i]);
    EXPECT_EQ(operation.receipt.id.view(), ids[i]);
    EXPECT_EQ(operation.receipt.legs.at(0).amount.value(), static_cast<std::int64_t>(i) + 1);
  }
  EXPECT_FALSE(must(reader->find_operation(OperationId("oP"))));
}

TEST_P(StoreConformance, every_kind_of_receipt_is_the_same_to_the_letter_for_ever) {
  create({wallet("alice"), wallet("bob"), wallet("carol")});
  apply({"alice", "bob", "carol"}, [](PlanBuilder& plan) {
    plan.at(at_second(1)).deposit("op-deposit", "alice", 1'000);
    plan.last().metadata = must(Metadata::make({{"note", "ürün \"1\"\t\\ ' ☂"}, {"b", ""}}));
    plan.at(at_second(2)).withdraw("op-withdraw", "alice", 100);
    plan.transfer("op-transfer", {{"alice", "bob", 300}, {"bob", "carol", 200}});
    plan.reverse("op-reverse", "op-withdraw", {{"", "alice", 100}});
    plan.refusal("op-refused", Code::wallet_frozen);
  });
  std::map<std::string, std::string> first;
  for (const char* id : {"op-deposit", "op-withdraw", "op-transfer", "op-reverse", "op-refused"}) {
    first[id] = text_of(recorded(*snapshot(), id));
  }
  apply({"alice", "bob", "carol"}, [](PlanBuilder& plan) {
    plan.at(at_second(3)).transfer("op-later", {{"carol", "alice", 150}, {"alice", "bob", 1}});
    plan.touch("bob", WalletStatus::frozen);
  });
  if (GetParam().persistent) reopen();
  auto transaction = begin();
  auto reader = snapshot();
  for (const auto& [id, text] : first) {
    EXPECT_EQ(text, text_of(recorded(*reader, id)));
    EXPECT_EQ(text, text_of(*claim(*transaction, id)));
  }
}

void write_every_kind(PlanBuilder& plan) {
  plan.deposit("op-fund", "alice", 1'000);
  plan.transfer("op-three", {{"alice", "bob", 30}, {"bob", "carol", 20}, {"alice", "carol", 7}});
  plan.transfer("op-two", {{"alice", "carol", 5}, {"carol", "bob", 6}});
  plan.transfer("op-one", "alice", "bob", 1);
  plan.refusal("op-refused", Code::wallet_frozen);
  plan.hold("hold-1", "alice", 40);
  const HoldRecord first = plan.last().hold->after;
  plan.capture("op-capture", first, 15);
  plan.hold("hold-2", "bob", 2, std::nullopt, "carol");
  plan.reverse("op-back", "op-two", {{"bob", "carol", 6}, {"carol", "alice", 5}});
  plan.withdraw("op-last", "alice", 3);
}

/// What a claim of all of them answers, by id.
std::map<std::string, RecordedOperation> claim_all(Transaction& transaction,
                                                   std::span<const OperationId> ids) {
  std::vector<const OperationId*> pointers;
  for (const OperationId& id : ids) pointers.push_back(&id);
  std::map<std::string, RecordedOperation> known;
  for (KnownOperation& answer : must(transaction.claim(pointers))) {
    known.emplace(ids[answer.index].str(), std::move(answer.recorded));
  }
  return known;
}

TEST_P(StoreConformance, receipts_claimed_together_do_not_mix) {
  create({wallet("alice"), wallet("bob"), wallet("carol")});
  apply({"alice", "bob", "carol"}, write_every_kind);
  // In another order, with ids between them that nobody knows.
  const std::vector<OperationId> ids = {OperationId("op-last"),
                                        OperationId("x-1"),
                                        OperationId("op-two"),
                                        OperationId("hold-2"),
                                        OperationId("op-three"),
                                        OperationId("op-refused"),
                                        OperationId("x-2"),
                                        OperationId("hold-1"),
                                        OperationId("op-capture"),
                                        OperationId("op-back"),
                                        OperationId("op-one"),
                                        OperationId("op-fund")};
  auto transaction = begin();
  const auto known = claim_all(*transaction, ids);
  ASSERT_EQ(known.size(), ids.size() - 2);
  const auto amounts = [&](const std::string& id) {
    std::vector<std::int64_t> all;
    for (const LegReceipt& leg : known.at(id).receipt.legs) all.push_back(leg.amount.value());
    return all;
  };
  using Amounts = std::vector<std::int64_t>;
  EXPECT_EQ(amounts("op-three"), (Amounts{30, 20, 7}));
  EXPECT_EQ(amounts("op-two"), (Amounts{5, 6}));
  EXPECT_EQ(amounts("op-one"), Amounts{1});
  EXPECT_EQ(amounts("op-capture"), Amounts{15});
  EXPECT_EQ(amounts("op-back"), (Amounts{6, 5}));
  EXPECT_EQ(amounts("op-last"), Amounts{3});
  EXPECT_TRUE(amounts("hold-2").empty());
  EXPECT_TRUE(known.at("op-refused").refusal);
  ASSERT_TRUE(known.at("op-two").receipt.reversed_by);
  EXPECT_EQ(*known.at("op-two").receipt.reversed_by, OperationId("op-back"));
  EXPECT_FALSE(known.at("op-three").receipt.reversed_by);
  ASSERT_TRUE(known.at("op-back").receipt.reverses);
  ASSERT_TRUE(known.at("hold-2").receipt.hold);
  EXPECT_EQ(known.at("hold-2").receipt.hold->to, WalletId("carol"));
  EXPECT_EQ(known.at("hold-1").receipt.hold->captured, MinorUnits{0});
  EXPECT_EQ(known.at("op-capture").receipt.hold->captured, MinorUnits{15});
  EXPECT_EQ(known.at("op-capture").receipt.hold->id, OperationId("hold-1"));
  for (const auto& [id, operation] : known) {
    EXPECT_EQ(text_of(operation), text_of(*claim(*transaction, id))) << id;
  }
}

TEST_P(StoreConformance, a_stored_refusal_comes_back_with_all_its_facts) {
  auto refusal = std::make_shared<Refusal>();
  refusal->code = Code::insufficient_funds;
  refusal->detail = "needs 60, has 40: \"short\"\n";
  refusal->pointer = "/legs/0/from";
  refusal->wallet = WalletId("alice");
  refusal->available = MinorUnits{-40};
  refusal->needed = MinorUnits{INT64_MAX};
  refusal->failures = {{WalletId("alice"), "version", "3", "4"},
                       {WalletId("bob"), "max_balance", "-5", "9223372036854775807", 3}};
  {
    auto transaction = begin();
    PlanBuilder builder({});
    builder.refusal("op-1", Code::insufficient_funds);
    builder.last().refusal = refusal;
    Plan plan = builder.build();
    ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));
    must(transaction->commit());
  }
  if (GetParam().persistent) reopen();
  const RecordedOperation operation = recorded(*snapshot(), "op-1");
  ASSERT_TRUE(operation.refusal);
  EXPECT_EQ(operation.fingerprint, fingerprint_of("op-1"));
  EXPECT_EQ(operation.refusal->code, refusal->code);
  EXPECT_EQ(operation.refusal->detail, refusal->detail);
  EXPECT_EQ(operation.refusal->pointer, refusal->pointer);
  EXPECT_EQ(operation.refusal->wallet, refusal->wallet);
  EXPECT_EQ(operation.refusal->available, refusal->available);
  EXPECT_EQ(operation.refusal->needed, refusal->needed);
  EXPECT_EQ(operation.refusal->newest_token, refusal->newest_token);
  ASSERT_EQ(operation.refusal->failures.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(operation.refusal->failures[i].wallet, refusal->failures[i].wallet);
    EXPECT_EQ(operation.refusal->failures[i].field, refusal->failures[i].field);
    EXPECT_EQ(operation.refusal->failures[i].expected, refusal->failures[i].expected);
    EXPECT_EQ(operation.refusal->failures[i].actual, refusal->failures[i].actual);
    EXPECT_EQ(operation.refusal->failures[i].condition, refusal->failures[i].condition);
  }
}

TEST_P(StoreConformance, all_bits_of_a_fingerprint_are_kept) {
  create_with("alice", 0);
  Fingerprint odd{};
  for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = static_cast<std::byte>(i * 17);
  Fingerprint ones{};
  ones.fill(std::byte{0xff});
  apply({"alice"}, [&](PlanBuilder& plan) {
    plan.deposit("op-odd", "alice", 1).last().fingerprint = odd;
    plan.deposit("op-ones", "alice", 1).last().fingerprint = ones;
    plan.deposit("op-zero", "alice", 1).last().fingerprint = Fingerprint{};
  });
  auto reader = snapshot();
  EXPECT_EQ(recorded(*reader, "op-odd").fingerprint, odd);
  EXPECT_EQ(recorded(*reader, "op-ones").fingerprint, ones);
  EXPECT_EQ(recorded(*reader, "op-zero").fingerprint, Fingerprint{});
}

}  // namespace
}  // namespace mizan::conformance
