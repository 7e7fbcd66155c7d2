#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace mizan::conformance {
namespace {

GuardedDelta delta(std::string_view wallet, std::int64_t balance, std::int64_t held = 0) {
  GuardedDelta change;
  change.wallet = WalletId(wallet);
  change.balance_change = MinorUnits{balance};
  change.held_change = MinorUnits{held};
  return change;
}

GuardedDelta debit(std::string_view wallet, std::int64_t amount) {
  GuardedDelta change = delta(wallet, -amount);
  change.require_funds = true;
  return change;
}

/// The states after each delta; the test stops when one was refused.
std::vector<WalletChange> applied(Transaction& transaction, std::vector<GuardedDelta> deltas) {
  DeltaResult result = must(transaction.apply_deltas(deltas));
  if (auto* changes = std::get_if<std::vector<WalletChange>>(&result)) return std::move(*changes);
  stop_test("delta " + std::to_string(std::get<DeltaRefused>(result).index) + " was refused",
            std::source_location::current());
}

/// The index of the refused delta, or nothing when all were applied.
std::optional<std::size_t> refused(Transaction& transaction, std::vector<GuardedDelta> deltas) {
  const DeltaResult result = must(transaction.apply_deltas(deltas));
  if (const auto* refusal = std::get_if<DeltaRefused>(&result)) return refusal->index;
  return std::nullopt;
}

TEST_P(StoreConformance, deltas_answer_the_state_after_each) {
  create_with("alice", 100);
  create_with("bob", 0);
  auto transaction = begin();
  const std::uint64_t revision = load(*transaction, {"alice"})[0].revision;
  const auto changes = applied(
      *transaction, {debit("alice", 60), delta("bob", 60), debit("alice", 40), delta("bob", 0, 5)});
  ASSERT_EQ(changes.size(), 4U);

  EXPECT_EQ(changes[0].after.id, WalletId("alice"));
  EXPECT_EQ(changes[0].after.balance, MinorUnits{40});
  EXPECT_EQ(changes[0].after.version, 2U);
  EXPECT_EQ(changes[0].revision_before, revision);
  EXPECT_GT(changes[0].after.revision, revision);
  EXPECT_EQ(changes[0].after.currency, (Currency{CurrencyCode("EUR"), 2}));
  EXPECT_EQ(changes[0].after.min_balance, MinorUnits{0});

  EXPECT_EQ(changes[1].after.balance, MinorUnits{60});
  EXPECT_EQ(changes[1].after.version, 1U);
  EXPECT_EQ(changes[2].after.balance, MinorUnits{0});
  EXPECT_EQ(changes[2].after.version, 3U);
  EXPECT_EQ(changes[2].revision_before, changes[0].after.revision);

  EXPECT_EQ(changes[3].after.held, MinorUnits{5});
  EXPECT_EQ(changes[3].after.balance, MinorUnits{60});
  EXPECT_EQ(changes[3].after.version, 1U) << "a change of held is not an entry";
}

TEST_P(StoreConformance, a_delta_without_the_funds_is_refused_and_leaves_nothing) {
  create_with("alice", 100);
  create_with("bob", 0);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    EXPECT_EQ(refused(*transaction, {debit("alice", 60), delta("bob", 60), debit("alice", 41)}),
              2U);
    // The rules still may look at why.
    EXPECT_EQ(load(*transaction, {"alice"}, LoadLock::none).size(), 1U);
  }
  no_trace.check();
}

TEST_P(StoreConformance, funds_are_available_money_down_to_the_limit) {
  create({wallet("alice").min_balance(-50), wallet("bob").unlimited(), wallet("carol")});
  deposit("fund-carol", "carol", 100);
  apply({"carol"}, [](PlanBuilder& plan) { plan.hold("hold-carol", "carol", 30); });
  auto transaction = begin();
  EXPECT_EQ(refused(*transaction, {debit("alice", 51)}), 0U);
  EXPECT_EQ(refused(*transaction, {debit("carol", 71)}), 0U);
  GuardedDelta too_much_held = delta("carol", 0, 71);
  too_much_held.require_funds = true;
  EXPECT_EQ(refused(*transaction, {too_much_held}), 0U);

  EXPECT_EQ(applied(*transaction, {debit("alice", 50)})[0].after.balance, MinorUnits{-50});
  EXPECT_EQ(applied(*transaction, {debit("carol", 70)})[0].after.balance, MinorUnits{30});
  EXPECT_EQ(applied(*transaction, {debit("bob", INT64_MAX)})[0].after.balance,
            MinorUnits{-INT64_MAX});
}

TEST_P(StoreConformance, a_capture_needs_no_funds_but_its_hold) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 100); });
  auto transaction = begin();
  const auto changes = applied(*transaction, {delta("alice", -60, -60)});
  EXPECT_EQ(changes[0].after.balance, MinorUnits{40});
  EXPECT_EQ(changes[0].after.held, MinorUnits{40});
}

TEST_P(StoreConformance, deltas_are_guarded_by_status_currency_and_version) {
  create({wallet("alice"), wallet("frozen"), wallet("closed")});
  apply({"alice", "frozen", "closed"}, [](PlanBuilder& plan) {
    plan.deposit("fund-1", "alice", 100).deposit("fund-2", "frozen", 100);
    plan.touch("frozen", WalletStatus::frozen).touch("closed", WalletStatus::closed);
  });
  auto transaction = begin();
  EXPECT_EQ(refused(*transaction, {delta("frozen", 1)}), 0U);
  EXPECT_EQ(refused(*transaction, {delta("closed", 1)}), 0U);
  EXPECT_EQ(refused(*transaction, {delta("nobody", 1)}), 0U);
  EXPECT_EQ(refused(*transaction, {delta("@world/EUR", 1)}), 0U);

  GuardedDelta wrong_currency = delta("alice", 1);
  wrong_currency.currency = CurrencyCode("USD");
  EXPECT_EQ(refused(*transaction, {wrong_currency}), 0U);
  GuardedDelta wrong_version = delta("alice", 1);
  wrong_version.version = 2;
  EXPECT_EQ(refused(*transaction, {wrong_version}), 0U);

  GuardedDelta right = delta("alice", 1);
  right.currency = CurrencyCode("EUR");
  right.version = 1;
  GuardedDelta next = delta("alice", 1);
  next.version = 2;  // What the delta before it left.
  EXPECT_EQ(applied(*transaction, {right, next})[1].after.version, 3U);
}

TEST_P(StoreConformance, a_void_gives_back_on_a_frozen_wallet) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) {
    plan.hold("hold-1", "alice", 40).touch("alice", WalletStatus::frozen);
  });
  auto transaction = begin();
  GuardedDelta give_back = delta("alice", 0, -40);
  EXPECT_EQ(refused(*transaction, {give_back}), 0U);
  give_back.require_active = false;
  EXPECT_EQ(applied(*transaction, {give_back})[0].after.held, MinorUnits{0});
}

TEST_P(StoreConformance, deltas_that_would_leave_64_bits_are_refused) {
  create({wallet("rich").unlimited(), wallet("poor").unlimited()});
  auto transaction = begin();
  EXPECT_EQ(applied(*transaction, {delta("rich", INT64_MAX)})[0].after.balance,
            MinorUnits{INT64_MAX});
  EXPECT_EQ(refused(*transaction, {delta("rich", 1)}), 0U);
  EXPECT_EQ(refused(*transaction, {delta("rich", INT64_MAX)}), 0U);
  EXPECT_EQ(applied(*transaction, {debit("rich", 1)})[0].after.balance, MinorUnits{INT64_MAX - 1});

  EXPECT_EQ(applied(*transaction, {debit("poor", INT64_MAX)})[0].after.balance,
            MinorUnits{-INT64_MAX});
  EXPECT_EQ(applied(*transaction, {delta("poor", -1)})[0].after.balance, MinorUnits{INT64_MIN});
  EXPECT_EQ(refused(*transaction, {debit("poor", 1)}), 0U);
  EXPECT_EQ(refused(*transaction, {debit("poor", INT64_MAX)}), 0U);
}

TEST_P(StoreConformance, a_refused_delta_is_the_first_one_that_fails) {
  create_with("alice", 10);
  create_with("bob", 10);
  {
    auto transaction = begin();
    EXPECT_EQ(refused(*transaction, {debit("alice", 10), debit("bob", 11), debit("alice", 1)}), 1U);
  }
  auto transaction = begin();
  EXPECT_TRUE(applied(*transaction, {}).empty());
}

TEST_P(StoreConformance, deltas_and_their_record_are_what_a_write_would_have_done) {
  create_with("alice", 100);
  create_with("bob", 0);
  {
    auto transaction = begin();
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    builder.at(at_second(9))
        .transfer("op-1", {{"alice", "bob", 60}, {"bob", "alice", 10}})
        .hold("op-2", "alice", 7);
    Plan plan = builder.build();
    const auto changes = applied(*transaction,
                                 {debit("alice", 60),
                                  delta("bob", 60),
                                  debit("bob", 10),
                                  delta("alice", 10),
                                  delta("alice", 0, 7)});
    plan.wallets[0].after.revision = changes[4].after.revision;
    plan.wallets[1].after.revision = changes[2].after.revision;
    ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->record(plan))));
    must(transaction->commit());
  }
  EXPECT_EQ(balance("alice"), 50);
  EXPECT_EQ(balance("bob"), 50);
  EXPECT_EQ(wallet_now("alice").held, MinorUnits{7});
  const Receipt receipt = recorded(*snapshot(), "op-1").receipt;
  EXPECT_EQ(receipt.legs.at(1).from_balance, MinorUnits{50});
  EXPECT_EQ(receipt.legs.at(1).from_version, 2U);
  EXPECT_EQ(receipt.legs.at(1).to_version, 3U);
  EXPECT_EQ(must_have(snapshot()->find_hold(OperationId("op-2"))).amount, MinorUnits{7});

  // What follows finds the history where the record left it.
  for (int i = 0; i < 40; ++i) {
    apply({"alice"}, [&](PlanBuilder& plan) {
      plan.at(at_second(10 + i)).deposit("more-" + std::to_string(i), "alice", 1);
    });
  }
  auto reader = snapshot();
  EntryQuery query;
  query.wallet = WalletId("alice");
  EXPECT_EQ(must(reader->list_entries(query)).items.size(), 43U);
  EXPECT_EQ(must_have(reader->balance_at_version(WalletId("alice"), 2)).balance, MinorUnits{40});
  EXPECT_EQ(must_have(reader->balance_at_time(WalletId("alice"), at_second(9))).balance,
            MinorUnits{50});
  auto transaction = begin();
  EXPECT_EQ(load(*transaction, {"bob"})[0].last_entry_at, at_second(9));
}

TEST_P(StoreConformance, deltas_make_an_older_read_stale) {
  create_with("alice", 100);
  std::vector<WalletState> old;
  {
    auto transaction = begin();
    old = load(*transaction, {"alice"});
    static_cast<void>(applied(*transaction, {delta("alice", 0, 1)}));
    const WalletState* pointer = &old[0];
    EXPECT_EQ(must(transaction->find_stale(std::array{pointer})), std::vector{old[0].number});
  }
}

}  // namespace
}  // namespace mizan::conformance
