#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace mizan::conformance {
namespace {

std::vector<std::string> list(Store& store, std::size_t limit) {
  auto reader = must(store.snapshot());
  std::vector<std::string> ids;
  std::optional<WalletId> after;
  do {
    const auto page = must(reader->list_wallets(after, limit));
    EXPECT_LE(page.items.size(), limit);
    for (const Wallet& wallet : page.items) ids.push_back(wallet.id.str());
    after = page.next;
  } while (after);
  return ids;
}

TEST_P(StoreConformance, a_new_wallet_is_as_it_was_asked_for) {
  const NewWallet asked =
      wallet("alice").in("KWD").min_balance(-1'234).with("owner", "Ünal \"A\" ☂").with("b", "");
  {
    auto transaction = begin();
    EXPECT_TRUE(must(transaction->insert_wallet(asked, at_second(77))));
    must(transaction->commit());
  }
  const Wallet found = wallet_now("alice");
  EXPECT_EQ(found.id, WalletId("alice"));
  EXPECT_EQ(found.currency, (Currency{CurrencyCode("KWD"), 3}));
  EXPECT_EQ(found.balance, MinorUnits{0});
  EXPECT_EQ(found.held, MinorUnits{0});
  EXPECT_EQ(found.min_balance, MinorUnits{-1'234});
  EXPECT_EQ(found.status, WalletStatus::active);
  EXPECT_EQ(found.version, 0U);
  EXPECT_EQ(found.metadata, asked.metadata);
  EXPECT_EQ(found.created_at, at_second(77));
}

TEST_P(StoreConformance, a_wallet_that_exists_is_left_as_it_is) {
  create({wallet("alice").min_balance(-5)});
  deposit("op-1", "alice", 10);
  const NoTrace no_trace(store());
  {
    auto transaction = begin();
    EXPECT_FALSE(must(transaction->insert_wallet(wallet("alice").in("USD"), at_second(9))));
    // The refusal is an answer, not an error: the transaction goes on.
    EXPECT_EQ(load(*transaction, {"alice"})[0].balance, MinorUnits{10});
    must(transaction->commit());
  }
  no_trace.check();
}

TEST_P(StoreConformance, a_wallet_is_known_inside_the_transaction_that_made_it) {
  auto transaction = begin();
  ASSERT_TRUE(must(transaction->insert_wallet(wallet("alice"), test_epoch())));
  EXPECT_FALSE(must(transaction->insert_wallet(wallet("alice"), test_epoch())));
  PlanBuilder builder(load(*transaction, {"alice"}));
  builder.deposit("op-1", "alice", 10);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));
  EXPECT_FALSE(must(snapshot()->find_wallet(WalletId("alice"))));
  must(transaction->commit());
  EXPECT_EQ(balance("alice"), 10);
}

TEST_P(StoreConformance, wallet_ids_are_compared_byte_for_byte) {
  const std::string longest(64, 'w');
  const std::vector<std::string> ids = {
      "alice", "Alice", "ALICE", "a", "A", "a:b/c@d._-", "1", "01", longest, longest.substr(1)};
  {
    auto transaction = begin();
    for (const std::string& id : ids) {
      ASSERT_TRUE(must(transaction->insert_wallet(wallet(id), test_epoch()))) << id;
    }
    must(transaction->commit());
  }
  for (const std::string& id : ids) EXPECT_EQ(wallet_now(id).id.view(), id);
  EXPECT_FALSE(must(snapshot()->find_wallet(WalletId("aLICE"))));
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(list(store(), 3), sorted) << "listed in the order of their bytes";
}

TEST_P(StoreConformance, limits_of_all_kinds_are_kept) {
  create({wallet("zero"), wallet("unlimited").unlimited(), wallet("low").min_balance(INT64_MIN)});
  EXPECT_EQ(wallet_now("zero").min_balance, MinBalance(MinorUnits{0}));
  EXPECT_EQ(wallet_now("unlimited").min_balance, MinBalance());
  EXPECT_EQ(wallet_now("low").min_balance, MinBalance(MinorUnits{INT64_MIN}));
  auto transaction = begin();
  EXPECT_EQ(load(*transaction, {"unlimited"})[0].min_balance, MinBalance());
}

TEST_P(StoreConformance, every_page_size_lists_every_wallet_once) {
  std::vector<std::string> expected;
  {
    auto transaction = begin();
    for (int i = 0; i < 30; ++i) {
      expected.push_back("wallet-" + std::to_string(i));
      ASSERT_TRUE(must(transaction->insert_wallet(wallet(expected.back()), test_epoch())));
    }
    must(transaction->commit());
  }
  std::sort(expected.begin(), expected.end());
  for (const std::size_t limit : {1U, 2U, 7U, 29U, 30U, 31U, 1'000U}) {
    EXPECT_EQ(list(store(), limit), expected) << limit;
  }
}

TEST_P(StoreConformance, a_cursor_goes_on_where_it_stood_while_wallets_are_made) {
  create({wallet("b"), wallet("d"), wallet("f"), wallet("h")});
  auto first = must(snapshot()->list_wallets(std::nullopt, 2));
  ASSERT_EQ(first.items.size(), 2U);
  ASSERT_EQ(first.next, WalletId("d"));
  create({wallet("a"), wallet("c"), wallet("e"), wallet("i")});
  std::vector<std::string> rest;
  for (const Wallet& found : must(snapshot()->list_wallets(first.next, 1'000)).items) {
    rest.push_back(found.id.str());
  }
  EXPECT_EQ(rest, (std::vector<std::string>{"e", "f", "h", "i"}));
}

TEST_P(StoreConformance, metadata_is_replaced_as_a_whole) {
  create({wallet("alice").with("old", "1")});
  const Metadata fresh = must(Metadata::make({{"new", "2"}}));
  {
    auto transaction = begin();
    const WalletState state = load(*transaction, {"alice"})[0];
    EXPECT_EQ(must(transaction->load_wallet_details(state)).metadata,
              must(Metadata::make({{"old", "1"}})));
    must(transaction->update_metadata(state.number, fresh));
    EXPECT_EQ(must(transaction->load_wallet_details(state)).metadata, fresh);
    must(transaction->commit());
  }
  EXPECT_EQ(wallet_now("alice").metadata, fresh);
}

TEST_P(StoreConformance, the_details_of_a_wallet_agree_with_what_readers_see) {
  create({wallet("alice").min_balance(-7).with("k", "v")});
  deposit("op-1", "alice", 12);
  const std::string seen = text_of(wallet_now("alice"));
  auto transaction = begin();
  EXPECT_EQ(text_of(must(transaction->load_wallet_details(load(*transaction, {"alice"})[0]))),
            seen);
}

TEST_P(StoreConformance, status_and_limit_are_written_without_an_operation) {
  create_with("alice", 10);
  apply({"alice"}, [](PlanBuilder& plan) {
    plan.touch("alice", WalletStatus::frozen);
    plan.change("alice").after.min_balance = std::nullopt;
  });
  EXPECT_EQ(wallet_now("alice").status, WalletStatus::frozen);
  EXPECT_EQ(wallet_now("alice").min_balance, MinBalance());
  EXPECT_EQ(wallet_now("alice").version, 1U);
  apply({"alice"}, [](PlanBuilder& plan) { plan.touch("alice", WalletStatus::active); });
  EXPECT_EQ(wallet_now("alice").status, WalletStatus::active);
}

TEST_P(StoreConformance, a_number_leads_back_to_the_wallet) {
  create_with("alice", 0);
  create_with("bob", 0);
  std::vector<WalletState> states;
  {
    auto transaction = begin();
    states = load(*transaction, {"alice", "bob"});
  }
  EXPECT_NE(states[0].number, states[1].number);
  auto reader = snapshot();
  EXPECT_EQ(must(reader->wallet_id(states[0].number)), WalletId("alice"));
  EXPECT_EQ(must(reader->wallet_id(states[1].number)), WalletId("bob"));
  EXPECT_FALSE(must(reader->wallet_id(WalletNumber{987'654})));
}

TEST_P(StoreConformance, the_world_owes_what_the_wallets_have) {
  auto balance_of = [&](std::string_view currency) {
    return to_string(must_have(snapshot()->find_world(CurrencyCode(currency))).balance);
  };
  EXPECT_EQ(balance_of("EUR"), "0");
  create_with("alice", 100);
  create({wallet("bob").unlimited(), wallet("yen").in("JPY")});
  deposit("op-yen", "yen", 5);
  apply({"bob"}, [](PlanBuilder& plan) { plan.withdraw("op-1", "bob", 130); });
  EXPECT_EQ(balance_of("EUR"), "30");
  EXPECT_EQ(balance_of("JPY"), "-5");
  const WorldWallet world = must_have(snapshot()->find_world(CurrencyCode("JPY")));
  EXPECT_EQ(world.id, WalletId("@world/JPY"));
  EXPECT_EQ(world.currency, (Currency{CurrencyCode("JPY"), 0}));
  EXPECT_FALSE(must(snapshot()->find_world(CurrencyCode("XYZ1"))));
  EXPECT_FALSE(must(snapshot()->find_wallet(WalletId("@world/EUR"))));
}

TEST_P(StoreConformance, the_world_may_leave_64_bits) {
  for (const char* id : {"a", "b", "c"}) create_with(id, INT64_MAX);
  EXPECT_EQ(to_string(must_have(snapshot()->find_world(CurrencyCode("EUR"))).balance),
            "-27670116110564327421");  // 3 × (2^63 − 1)
}

TEST_P(StoreConformance, currencies_are_registered_once_and_listed_in_order) {
  {
    auto transaction = begin();
    EXPECT_FALSE(must(transaction->find_currency(CurrencyCode("PTS"))));
    EXPECT_TRUE(must(transaction->insert_currency({CurrencyCode("PTS"), 0})));
    EXPECT_TRUE(must(transaction->insert_currency({CurrencyCode("BTCLN"), 11})));
    EXPECT_TRUE(must(transaction->insert_currency({CurrencyCode("AAA1"), 18})));
    EXPECT_FALSE(must(transaction->insert_currency({CurrencyCode("PTS"), 4})));
    EXPECT_EQ(must_have(transaction->find_currency(CurrencyCode("PTS"))).exponent, 0);
    must(transaction->commit());
  }
  {
    auto transaction = begin();
    EXPECT_FALSE(must(transaction->insert_currency({CurrencyCode("PTS"), 0})));
    EXPECT_TRUE(must(transaction->insert_wallet(wallet("coins").in("BTCLN"), test_epoch())));
    must(transaction->commit());
  }
  EXPECT_EQ(
      must(snapshot()->list_currencies()),
      (std::vector<Currency>{
          {CurrencyCode("AAA1"), 18}, {CurrencyCode("BTCLN"), 11}, {CurrencyCode("PTS"), 0}}));
  EXPECT_EQ(wallet_now("coins").currency, (Currency{CurrencyCode("BTCLN"), 11}));
  EXPECT_EQ(to_string(must_have(snapshot()->find_world(CurrencyCode("PTS"))).balance), "0");
}

TEST_P(StoreConformance, all_states_are_read_in_order_of_number) {
  for (const char* id : {"c", "a", "b", "e", "d"}) create_with(id, 0);
  auto reader = snapshot();
  std::vector<WalletNumber> numbers;
  std::set<std::string> ids;
  std::optional<WalletNumber> after = WalletNumber{0};
  do {
    const auto page = must(reader->read_states(*after, 2));
    EXPECT_LE(page.items.size(), 2U);
    for (const WalletState& state : page.items) {
      numbers.push_back(state.number);
      ids.insert(state.id.str());
    }
    after = page.next;
  } while (after);
  EXPECT_EQ(numbers.size(), 5U);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(ids, (std::set<std::string>{"a", "b", "c", "d", "e"}));
}

}  // namespace
}  // namespace mizan::conformance
