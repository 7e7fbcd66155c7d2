#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace mizan::conformance {
namespace {

HoldRecord load_hold(Store& store, std::string_view id) {
  auto transaction = must(store.begin(soon()));
  return must_have(transaction->load_hold(OperationId(id)));
}

std::vector<std::string> due(Store& store, Timestamp now, std::size_t limit) {
  auto transaction = must(store.begin(soon()));
  std::vector<std::string> ids;
  for (const HoldRecord& hold : must(transaction->load_due_holds(now, limit))) {
    ids.push_back(hold.id.str());
  }
  return ids;
}

HoldChange expiry_of(const HoldRecord& hold) {
  HoldChange change;
  change.kind = HoldChange::Kind::change;
  change.after = hold;
  change.after.status = HoldStatus::expired;
  change.status_before = hold.status;
  change.captured_before = hold.captured;
  return change;
}

WalletChange release(const WalletState& state, std::int64_t amount) {
  WalletChange change;
  change.after = state;
  change.after.held = MinorUnits{state.held.value() - amount};
  change.after.revision = state.revision + 1;
  change.revision_before = state.revision;
  change.balance_changed = false;
  return change;
}

/// A hold that changed since it was read: a store may say that the hold's wallet is stale or that
/// the operation came second. Either is a race that was lost, and either names who lost it.
bool is_lost_race(const WriteResult& written, std::string_view operation, WalletNumber wallet) {
  if (const auto* duplicate = std::get_if<WriteDuplicate>(&written)) {
    return duplicate->operation == OperationId(operation);
  }
  const auto* stale = std::get_if<WriteStale>(&written);
  return stale != nullptr && stale->wallets == std::vector{wallet};
}

TEST_P(StoreConformance, a_hold_lowers_available_and_is_found) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.at(at_second(5))
        .hold("hold-1", "alice", 30, at_second(60), "bob")
        .hold("hold-2", "alice", 20);
  });
  EXPECT_EQ(wallet_now("alice").balance, MinorUnits{100});
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{50});
  EXPECT_EQ(wallet_now("alice").version, 1U);

  auto reader = snapshot();
  const Hold first = must_have(reader->find_hold(OperationId("hold-1")));
  EXPECT_EQ(first.wallet, WalletId("alice"));
  EXPECT_EQ(first.to, WalletId("bob"));
  EXPECT_EQ(first.currency, CurrencyCode("EUR"));
  EXPECT_EQ(first.amount, MinorUnits{30});
  EXPECT_EQ(first.captured, MinorUnits{0});
  EXPECT_EQ(first.status, HoldStatus::open);
  EXPECT_EQ(first.expires_at, at_second(60));
  EXPECT_EQ(first.created_at, at_second(5));
  const Hold second = must_have(reader->find_hold(OperationId("hold-2")));
  EXPECT_EQ(second.to, WalletId("@world/EUR"));
  EXPECT_FALSE(second.expires_at);
  EXPECT_FALSE(must(reader->find_hold(OperationId("fund-alice"))));

  const Receipt receipt = recorded(*reader, "hold-1").receipt;
  EXPECT_EQ(receipt.type, OperationType::hold);
  EXPECT_TRUE(receipt.legs.empty());
  ASSERT_TRUE(receipt.hold);
  EXPECT_EQ(text_of(*receipt.hold), text_of(first));
}

TEST_P(StoreConformance, a_hold_is_captured_in_parts) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"},
        [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 30, std::nullopt, "bob"); });
  const HoldRecord opened = load_hold(store(), "hold-1");
  apply({"alice", "bob"}, [&](PlanBuilder& plan) { plan.capture("op-1", opened, 10); });
  const HoldRecord halfway = load_hold(store(), "hold-1");
  EXPECT_EQ(halfway.status, HoldStatus::open);
  EXPECT_EQ(halfway.captured, MinorUnits{10});
  apply({"alice", "bob"}, [&](PlanBuilder& plan) { plan.capture("op-2", halfway, 20); });

  EXPECT_EQ(balance("alice"), 70);
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{0});
  EXPECT_EQ(balance("bob"), 30);
  auto reader = snapshot();
  EXPECT_EQ(must_have(reader->find_hold(OperationId("hold-1"))).status, HoldStatus::captured);
  const Receipt receipt = recorded(*reader, "op-1").receipt;
  EXPECT_EQ(receipt.type, OperationType::capture);
  EXPECT_EQ(receipt.legs.at(0).from_balance, MinorUnits{90});
  ASSERT_TRUE(receipt.hold) << "a capture's receipt shows its hold";
  EXPECT_EQ(receipt.hold->id, OperationId("hold-1"));
}

TEST_P(StoreConformance, a_receipt_shows_the_hold_as_its_operation_left_it) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) {
    plan.transfer("op-legs", {{"alice", "", 1}, {"alice", "", 1}})
        .hold("hold-1", "alice", 30, at_second(60));
  });
  const HoldRecord opened = load_hold(store(), "hold-1");
  apply({"alice"}, [&](PlanBuilder& plan) {
    plan.deposit("op-other", "alice", 1).capture("op-1", opened, 10);
  });
  const HoldRecord halfway = load_hold(store(), "hold-1");
  apply({"alice"}, [&](PlanBuilder& plan) {
    plan.capture("op-2", halfway, 5);
    const HoldRecord left = plan.last().hold->after;
    plan.void_hold("op-3", left);
  });
  const auto check = [this] {
    struct Left {
      const char* operation;
      std::int64_t captured;
      HoldStatus status;
    };

    auto reader = snapshot();
    auto transaction = begin();
    for (const Left& left : {Left{"hold-1", 0, HoldStatus::open},
                             Left{"op-1", 10, HoldStatus::open},
                             Left{"op-2", 15, HoldStatus::open},
                             Left{"op-3", 15, HoldStatus::voided}}) {
      const RecordedOperation read = recorded(*reader, left.operation);
      ASSERT_TRUE(read.receipt.hold) << left.operation;
      EXPECT_EQ(read.receipt.hold->captured.value(), left.captured) << left.operation;
      EXPECT_EQ(read.receipt.hold->status, left.status) << left.operation;
      EXPECT_EQ(read.receipt.hold->amount, MinorUnits{30});
      EXPECT_EQ(read.receipt.hold->expires_at, at_second(60));
      const auto claimed = claim(*transaction, left.operation);
      ASSERT_TRUE(claimed);
      EXPECT_EQ(text_of(*claimed), text_of(read));
    }
  };
  check();
  if (!GetParam().persistent) return;
  reopen();
  check();
}

TEST_P(StoreConformance, two_captures_of_one_reading_do_not_both_pass) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 30); });
  const HoldRecord hold = load_hold(store(), "hold-1");
  apply({"alice"}, [&](PlanBuilder& plan) { plan.capture("op-1", hold, 10); });
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    builder.capture("op-2", hold, 10);
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    EXPECT_TRUE(is_lost_race(written, "op-2", hold.wallet));
  }
  no_trace.check();
}

TEST_P(StoreConformance, a_hold_that_ended_is_not_changed_again) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 30); });
  const HoldRecord hold = load_hold(store(), "hold-1");
  apply({"alice"}, [&](PlanBuilder& plan) { plan.void_hold("op-void", hold); });
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{0});
  EXPECT_EQ(must_have(snapshot()->find_hold(OperationId("hold-1"))).status, HoldStatus::voided);
  const NoTrace no_trace(store());
  for (const bool capturing : {true, false}) {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    if (capturing) builder.capture("op-2", hold, 30);
    if (!capturing) builder.void_hold("op-2", hold);
    builder.change("alice").after.held = MinorUnits{0};
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    EXPECT_TRUE(is_lost_race(written, "op-2", hold.wallet));
  }
  no_trace.check();
}

TEST_P(StoreConformance, a_hold_that_exists_is_not_created_again) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 30); });
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice"}));
    builder.hold("op-2", "alice", 30).last().hold->after.id = OperationId("hold-1");
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    EXPECT_TRUE(std::holds_alternative<WriteDuplicate>(written));
  }
  no_trace.check();
}

TEST_P(StoreConformance, a_hold_lives_and_ends_inside_one_plan) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) {
    plan.hold("hold-1", "alice", 30);
    const HoldRecord hold = plan.last().hold->after;
    plan.capture("op-1", hold, 10);
    const HoldRecord halfway = plan.last().hold->after;
    plan.void_hold("op-2", halfway);
  });
  const Hold hold = must_have(snapshot()->find_hold(OperationId("hold-1")));
  EXPECT_EQ(hold.captured, MinorUnits{10});
  EXPECT_EQ(hold.status, HoldStatus::voided);
  EXPECT_EQ(balance("alice"), 90);
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{0});
}

TEST_P(StoreConformance, due_holds_come_oldest_first_and_only_when_due) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) {
    plan.hold("late", "alice", 1, at_second(30))
        .hold("first", "alice", 1, at_second(10))
        .hold("never", "alice", 1)
        .hold("second", "alice", 1, at_second(20))
        .hold("gone", "alice", 1, at_second(5));
  });
  const HoldRecord gone = load_hold(store(), "gone");
  apply({"alice"}, [&](PlanBuilder& plan) { plan.void_hold("op-void", gone); });

  using Ids = std::vector<std::string>;
  EXPECT_EQ(due(store(), at_second(9), 10), Ids{});
  EXPECT_EQ(due(store(), at_second(10), 10), Ids{"first"});
  EXPECT_EQ(due(store(), at_second(20) - std::chrono::microseconds(1), 10), Ids{"first"});
  EXPECT_EQ(due(store(), at_second(100), 10), (Ids{"first", "second", "late"}));
  EXPECT_EQ(due(store(), at_second(100), 2), (Ids{"first", "second"}));
}

TEST_P(StoreConformance, what_is_left_of_due_holds_is_summed_by_wallet) {
  create_with("alice", 100);
  create_with("bob", 100);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.hold("a-1", "alice", 10, at_second(10))
        .hold("a-2", "alice", 20, at_second(20))
        .hold("a-3", "alice", 40)
        .hold("b-1", "bob", 5, at_second(20));
  });
  const HoldRecord first = load_hold(store(), "a-1");
  apply({"alice"}, [&](PlanBuilder& plan) { plan.capture("op-1", first, 4); });

  using Sums = std::map<std::string, std::int64_t>;
  const auto sums = [this](Timestamp now) {
    Sums found;
    for (const DueHeld& due : must(snapshot()->sum_due_holds(now))) {
      found[due.wallet.str()] += due.remaining.value();
    }
    return found;
  };
  EXPECT_EQ(sums(at_second(10) - std::chrono::microseconds(1)), Sums{});
  EXPECT_EQ(sums(at_second(10)), (Sums{{"alice", 6}}));
  EXPECT_EQ(sums(at_second(20)), (Sums{{"alice", 26}, {"bob", 5}}));
  const HoldRecord second = load_hold(store(), "a-2");
  apply({"alice"}, [&](PlanBuilder& plan) { plan.void_hold("op-2", second); });
  EXPECT_EQ(sums(at_second(20)), (Sums{{"alice", 6}, {"bob", 5}}));
}

TEST_P(StoreConformance, an_expiry_ends_the_hold_and_gives_its_money_back) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 30, at_second(10)); });
  {
    auto transaction = begin();
    const HoldChange change = expiry_of(must_have(transaction->load_hold(OperationId("hold-1"))));
    WalletChange wallet = release(load(*transaction, {"alice"})[0], 30);
    ASSERT_TRUE(std::holds_alternative<WritesDone>(
        must(transaction->write_expiry(std::span(&change, 1), std::span(&wallet, 1)))));
    must(transaction->commit());
  }
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{0});
  EXPECT_EQ(wallet_now("alice").balance, MinorUnits{100});
  EXPECT_EQ(wallet_now("alice").version, 1U);
  EXPECT_EQ(must_have(snapshot()->find_hold(OperationId("hold-1"))).status, HoldStatus::expired);
  EXPECT_TRUE(due(store(), at_second(100), 10).empty());
}

TEST_P(StoreConformance, an_expiry_is_guarded_like_any_other_write) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 30, at_second(10)); });
  const HoldRecord old_hold = load_hold(store(), "hold-1");
  WalletState old_wallet;
  {
    auto transaction = begin();
    old_wallet = load(*transaction, {"alice"})[0];
  }
  apply({"alice"}, [&](PlanBuilder& plan) { plan.capture("op-1", old_hold, 10); });
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    const HoldChange change = expiry_of(old_hold);
    WalletChange wallet = release(load(*transaction, {"alice"})[0], 20);
    const auto written =
        must(transaction->write_expiry(std::span(&change, 1), std::span(&wallet, 1)));
    EXPECT_FALSE(std::holds_alternative<WritesDone>(written)) << "the hold was captured between";
  }
  {
    auto transaction = begin();
    const HoldChange change = expiry_of(must_have(transaction->load_hold(OperationId("hold-1"))));
    WalletChange wallet = release(old_wallet, 20);
    const auto written =
        must(transaction->write_expiry(std::span(&change, 1), std::span(&wallet, 1)));
    ASSERT_TRUE(std::holds_alternative<WriteStale>(written));
    EXPECT_EQ(std::get<WriteStale>(written).wallets, std::vector{old_wallet.number});
  }
  no_trace.check();
}

TEST_P(StoreConformance, all_holds_are_read_in_order_of_id) {
  create_with("alice", 1'000);
  apply({"alice"}, [](PlanBuilder& plan) {
    for (const char* id : {"h-c", "h-a", "h-B", "h-b", "h-10", "h-9"}) plan.hold(id, "alice", 1);
  });
  auto reader = snapshot();
  std::vector<std::string> ids;
  std::optional<OperationId> after;
  do {
    const auto page = must(reader->read_holds(after, 4));
    EXPECT_LE(page.items.size(), 4U);
    for (const HoldRecord& hold : page.items) ids.push_back(hold.id.str());
    after = page.next;
  } while (after);
  EXPECT_EQ(ids, (std::vector<std::string>{"h-10", "h-9", "h-B", "h-a", "h-b", "h-c"}));
}

TEST_P(StoreConformance, an_operation_is_reversed_at_most_once) {
  create_with("alice", 100);
  create_with("bob", 0);
  transfer("op-1", "alice", "bob", 30);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.reverse("op-undo", "op-1", {{"bob", "alice", 30}});
  });
  EXPECT_EQ(balance("alice"), 100);
  deposit("op-money", "bob", 100);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    builder.reverse("op-again", "op-1", {{"bob", "alice", 30}});
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
    EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-again"));
  }
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    builder.reverse("op-2", "op-money", {{"bob", "", 100}})
        .deposit("op-3", "bob", 100)
        .reverse("op-4", "op-money", {{"bob", "", 100}});
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WriteDuplicate>(written));
    EXPECT_EQ(std::get<WriteDuplicate>(written).operation, OperationId("op-4"));
  }
  no_trace.check();
}

TEST_P(StoreConformance, what_can_be_reversed_is_loaded_with_its_legs) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.transfer("op-1", {{"alice", "bob", 30}, {"bob", "", 10}})
        .refusal("op-refused", Code::insufficient_funds)
        .hold("op-hold", "alice", 5);
  });
  auto transaction = begin();
  const auto reversible = must_have(transaction->load_reversible(OperationId("op-1")));
  EXPECT_EQ(reversible.type, OperationType::transfer);
  EXPECT_FALSE(reversible.reversed);
  ASSERT_EQ(reversible.legs.size(), 2U);
  EXPECT_EQ(reversible.legs[0].from, WalletId("alice"));
  EXPECT_EQ(reversible.legs[0].to, WalletId("bob"));
  EXPECT_EQ(reversible.legs[0].amount, MinorUnits{30});
  EXPECT_EQ(reversible.legs[1].to, WalletId("@world/EUR"));
  EXPECT_FALSE(must(transaction->load_reversible(OperationId("op-nobody"))));
  EXPECT_FALSE(must(transaction->load_reversible(OperationId("op-refused"))));
  EXPECT_EQ(must_have(transaction->load_reversible(OperationId("op-hold"))).type,
            OperationType::hold);
}

TEST_P(StoreConformance, a_reversal_and_its_target_name_each_other) {
  create_with("alice", 100);
  create_with("bob", 0);
  transfer("op-1", "alice", "bob", 30);
  auto before = snapshot();
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.reverse("op-undo", "op-1", {{"bob", "alice", 30}});
  });
  auto reader = snapshot();
  const Receipt target = recorded(*reader, "op-1").receipt;
  ASSERT_TRUE(target.reversed_by);
  EXPECT_EQ(*target.reversed_by, OperationId("op-undo"));
  EXPECT_FALSE(target.reverses);
  const Receipt reversal = recorded(*reader, "op-undo").receipt;
  EXPECT_EQ(reversal.type, OperationType::reverse);
  ASSERT_TRUE(reversal.reverses);
  EXPECT_EQ(*reversal.reverses, OperationId("op-1"));
  EXPECT_FALSE(reversal.reversed_by);
  EXPECT_FALSE(recorded(*before, "op-1").receipt.reversed_by);

  auto transaction = begin();
  EXPECT_TRUE(must_have(transaction->load_reversible(OperationId("op-1"))).reversed);
}

}  // namespace
}  // namespace mizan::conformance
