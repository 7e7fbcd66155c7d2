#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace mizan::conformance {
namespace {

std::vector<WalletNumber> find_stale(Transaction& transaction,
                                     const std::vector<WalletState>& states) {
  std::vector<const WalletState*> pointers;
  for (const WalletState& state : states) pointers.push_back(&state);
  auto stale = must(transaction.find_stale(pointers));
  std::sort(stale.begin(), stale.end());
  return stale;
}

TEST_P(StoreConformance, a_stale_revision_changes_nothing_and_is_named) {
  create_with("alice", 100);
  create_with("bob", 0);
  std::vector<WalletState> old;
  {
    auto transaction = begin();
    old = load(*transaction, {"alice", "bob"});
  }
  deposit("op-between", "bob", 1);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    PlanBuilder builder(old);
    builder.transfer("op-1", "alice", "bob", 1);
    Plan plan = builder.build();
    const auto written = must(transaction->write(plan));
    ASSERT_TRUE(std::holds_alternative<WriteStale>(written));
    EXPECT_EQ(std::get<WriteStale>(written).wallets, std::vector{old[1].number});
  }
  no_trace.check();
}

TEST_P(StoreConformance, every_kind_of_write_makes_an_older_read_stale) {
  create_with("alice", 100);
  const auto read = [&] {
    auto transaction = begin();
    return load(*transaction, {"alice"});
  };
  const auto is_stale = [&](const std::vector<WalletState>& states) {
    auto transaction = begin();
    return !find_stale(*transaction, states).empty();
  };

  auto states = read();
  EXPECT_FALSE(is_stale(states));
  deposit("op-money", "alice", 1);
  EXPECT_TRUE(is_stale(states));

  states = read();
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("op-hold", "alice", 5); });
  EXPECT_TRUE(is_stale(states));

  states = read();
  apply({"alice"}, [](PlanBuilder& plan) { plan.touch("alice", WalletStatus::frozen); });
  EXPECT_TRUE(is_stale(states));

  states = read();
  apply({"alice"},
        [](PlanBuilder& plan) { plan.change("alice").after.min_balance = std::nullopt; });
  EXPECT_TRUE(is_stale(states));
  EXPECT_FALSE(is_stale(read()));
}

TEST_P(StoreConformance, stale_wallets_are_found_among_many) {
  std::vector<WalletState> states;
  for (int i = 0; i < 300; ++i) create_with("wallet-" + std::to_string(i), 0);
  {
    auto transaction = begin();
    for (int i = 0; i < 300; ++i) {
      states.push_back(load(*transaction, {"wallet-" + std::to_string(i)})[0]);
    }
  }
  deposit("op-7", "wallet-7", 1);
  deposit("op-299", "wallet-299", 1);
  auto transaction = begin();
  auto expected = std::vector{states[7].number, states[299].number};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(find_stale(*transaction, states), expected);
  EXPECT_TRUE(find_stale(*transaction, {}).empty());
}

TEST_P(StoreConformance, states_are_loaded_in_the_order_asked) {
  create_with("alice", 100);
  create_with("bob", 50);
  auto transaction = begin();
  for (const LoadLock lock : {LoadLock::none, LoadLock::update}) {
    const auto states = must(transaction->load_wallets(
        std::array{WalletId("bob"), WalletId("nobody"), WalletId("alice"), WalletId("bob")}, lock));
    ASSERT_EQ(states.size(), 4U);
    ASSERT_TRUE(states[0] && states[2] && states[3]);
    EXPECT_EQ(states[0]->balance, MinorUnits{50});
    EXPECT_FALSE(states[1]);
    EXPECT_EQ(states[2]->balance, MinorUnits{100});
    EXPECT_EQ(states[3]->id, WalletId("bob"));

    const auto by_number = must(transaction->load_wallets_by_number(
        std::array{states[2]->number, WalletNumber{987'654}, states[0]->number}, lock));
    ASSERT_EQ(by_number.size(), 3U);
    EXPECT_EQ(by_number[0]->id, WalletId("alice"));
    EXPECT_FALSE(by_number[1]);
    EXPECT_EQ(by_number[2]->id, WalletId("bob"));
  }
  EXPECT_TRUE(must(transaction->load_wallets({}, LoadLock::update)).empty());
}

TEST_P(StoreConformance, many_states_are_loaded_at_once) {
  std::vector<WalletId> ids;
  std::vector<WalletNumber> numbers;
  {
    auto transaction = begin();
    for (int i = 0; i < 2'500; ++i) {
      ids.emplace_back("wallet-" + std::to_string(i));
      ASSERT_TRUE(must(transaction->insert_wallet(wallet(ids.back().view()), test_epoch())));
    }
    must(transaction->commit());
  }
  auto transaction = begin();
  const auto states = must(transaction->load_wallets(ids, LoadLock::update));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_TRUE(states[i]);
    ASSERT_EQ(states[i]->id, ids[i]);
    numbers.push_back(states[i]->number);
  }
  const auto by_number = must(transaction->load_wallets_by_number(numbers, LoadLock::update));
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(by_number[i]->id, ids[i]);
}

TEST_P(StoreConformance, a_loaded_state_says_everything_about_the_wallet) {
  create({wallet("alice").in("JPY").min_balance(-500)});
  apply({"alice"}, [](PlanBuilder& plan) {
    plan.at(at_second(3)).deposit("op-1", "alice", 70).hold("op-2", "alice", 20);
  });
  auto transaction = begin();
  const WalletState state = load(*transaction, {"alice"})[0];
  EXPECT_EQ(state.id, WalletId("alice"));
  EXPECT_EQ(state.currency, (Currency{CurrencyCode("JPY"), 0}));
  EXPECT_EQ(state.status, WalletStatus::active);
  EXPECT_EQ(state.balance, MinorUnits{70});
  EXPECT_EQ(state.held, MinorUnits{20});
  EXPECT_EQ(state.min_balance, MinorUnits{-500});
  EXPECT_EQ(state.version, 1U);
  EXPECT_EQ(state.last_entry_at, at_second(3));
  EXPECT_GE(state.number.value(), 1);

  auto reader = snapshot();
  const auto outside = must(reader->load_wallets(std::array{WalletId("x"), WalletId("alice")}));
  ASSERT_EQ(outside.size(), 2U);
  EXPECT_FALSE(outside[0]);
  ASSERT_TRUE(outside[1]);
  EXPECT_EQ(outside[1]->revision, state.revision);
  EXPECT_EQ(outside[1]->balance, state.balance);
  EXPECT_EQ(outside[1]->number, state.number);
}

TEST_P(StoreConformance, a_write_fills_in_the_links_so_that_a_plan_can_go_on_from_it) {
  create_with("alice", 0);
  std::vector<WalletState> states;
  for (int i = 0; i < 40; ++i) {
    auto transaction = begin();
    if (states.empty()) states = load(*transaction, {"alice"});
    PlanBuilder builder(states);
    builder.deposit("op-" + std::to_string(i), "alice", 1);
    Plan plan = builder.build();
    ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));
    must(transaction->commit());
    states = {plan.wallets[0].after};
  }
  auto transaction = begin();
  const WalletState loaded = load(*transaction, {"alice"})[0];
  EXPECT_EQ(loaded.links.head, states[0].links.head);
  EXPECT_EQ(loaded.links.block, states[0].links.block);
  EXPECT_EQ(loaded.revision, states[0].revision);
  EXPECT_EQ(loaded.last_entry_at, states[0].last_entry_at);
  EXPECT_EQ(loaded.balance, MinorUnits{40});
}

}  // namespace
}  // namespace mizan::conformance
