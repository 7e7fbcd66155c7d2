#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace mizan::conformance {
namespace {

std::string statement(Snapshot& snapshot, std::string_view wallet) {
  EntryQuery query;
  query.wallet = WalletId(wallet);
  query.limit = 1'000;
  std::string text;
  for (const Entry& entry : must(snapshot.list_entries(query)).items) text += text_of(entry) + "\n";
  return text;
}

/// What one snapshot says about everything that the writers of these tests change.
std::string seen_by(Snapshot& snapshot) {
  std::string text = statement(snapshot, "alice") + statement(snapshot, "bob");
  for (const Wallet& wallet : must(snapshot.list_wallets(std::nullopt, 1'000)).items) {
    text += text_of(wallet) + "\n";
  }
  for (const JournalLeg& leg : must(snapshot.read_journal(Sequence{0}, 10'000)).items) {
    text += text_of(leg) + "\n";
  }
  for (const HoldRecord& hold : must(snapshot.read_holds(std::nullopt, 10'000)).items) {
    text += text_of(must_have(snapshot.find_hold(hold.id))) + "\n";
  }
  for (const char* id : {"fund-alice", "op-1", "op-hold", "op-reverse"}) {
    const auto operation = must(snapshot.find_operation(OperationId(id)));
    text += operation ? text_of(*operation) + "\n" : std::string(id) + " is not there\n";
  }
  for (const Currency& currency : must(snapshot.list_currencies())) {
    text += currency.code.str() + "\n";
  }
  text += to_string(must_have(snapshot.find_world(CurrencyCode("EUR"))).balance);
  const auto at_end = must_have(snapshot.balance_at_time(WalletId("alice"), at_second(1'000'000)));
  return text + " " + std::to_string(at_end.balance.value());
}

TEST_P(StoreConformance, a_snapshot_stays_as_it_was_while_writers_commit) {
  create_with("alice", 100);
  create_with("bob", 0);
  transfer("op-1", "alice", "bob", 1);
  auto before = snapshot();
  const std::string first = seen_by(*before);

  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.transfer("op-2", "alice", "bob", 10)
        .hold("op-hold", "alice", 5)
        .reverse("op-reverse", "op-1", {{"bob", "alice", 1}});
  });
  create({wallet("aaron"), wallet("zoe")});
  {
    auto transaction = begin();
    ASSERT_TRUE(must(transaction->insert_currency({CurrencyCode("PTS"), 0})));
    must(transaction->commit());
  }
  for (int i = 0; i < 40; ++i) deposit("more-" + std::to_string(i), "alice", 1);

  EXPECT_EQ(first, seen_by(*before));
  EXPECT_NE(first, seen_by(*snapshot()));
}

TEST_P(StoreConformance, a_snapshot_does_not_see_what_is_not_committed) {
  create_with("alice", 100);
  auto transaction = begin();
  PlanBuilder builder(load(*transaction, {"alice"}));
  builder.deposit("op-1", "alice", 50);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));

  auto during = snapshot();
  EXPECT_EQ(must_have(during->find_wallet(WalletId("alice"))).balance, MinorUnits{100});
  EXPECT_FALSE(must(during->find_operation(OperationId("op-1"))));
  must(transaction->commit());
  EXPECT_EQ(must_have(during->find_wallet(WalletId("alice"))).balance, MinorUnits{100});
  EXPECT_EQ(balance("alice"), 150);
}

TEST_P(StoreConformance, a_transaction_reads_its_own_writes) {
  create_with("alice", 100);
  create_with("bob", 0);
  auto transaction = begin();
  PlanBuilder builder(load(*transaction, {"alice", "bob"}));
  builder.transfer("op-1", "alice", "bob", 30).hold("op-hold", "bob", 10);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));

  const auto states = load(*transaction, {"bob", "alice"});
  EXPECT_EQ(states[0].balance, MinorUnits{30});
  EXPECT_EQ(states[0].held, MinorUnits{10});
  EXPECT_EQ(states[1].balance, MinorUnits{70});
  EXPECT_EQ(states[1].version, 2U);
  EXPECT_TRUE(claim(*transaction, "op-1"));
  EXPECT_TRUE(must(transaction->load_hold(OperationId("op-hold"))));
  EXPECT_TRUE(must(transaction->load_reversible(OperationId("op-1"))));
}

TEST_P(StoreConformance, an_open_snapshot_does_not_keep_a_writer_waiting) {
  create_with("alice", 100);
  auto reader = snapshot();
  ASSERT_TRUE(must(reader->find_wallet(WalletId("alice"))));
  deposit("op-1", "alice", 1);  // Would stop the test at its deadline.
  EXPECT_EQ(must_have(reader->find_wallet(WalletId("alice"))).balance, MinorUnits{100});
}

TEST_P(StoreConformance, an_open_transaction_does_not_keep_a_reader_waiting) {
  create_with("alice", 100);
  auto transaction = begin();
  PlanBuilder builder(load(*transaction, {"alice"}));
  builder.deposit("op-1", "alice", 50);
  Plan plan = builder.build();
  ASSERT_TRUE(std::holds_alternative<WritesDone>(must(transaction->write(plan))));
  EXPECT_EQ(balance("alice"), 100);
}

TEST_P(StoreConformance, two_writers_on_one_wallet_never_lose_an_update) {
  create_with("alice", 100);
  auto first = begin();
  PlanBuilder builder(load(*first, {"alice"}));
  builder.deposit("op-first", "alice", 10);
  Plan plan = builder.build();

  std::atomic<int> refused = 0;
  std::atomic<bool> second_done = false;
  std::jthread second([&] {
    while (!second_done) {
      auto transaction = store().begin(soon());
      if (!transaction) continue;
      auto states = (*transaction)->load_wallets(std::array{WalletId("alice")}, LoadLock::none);
      if (!states) continue;
      PlanBuilder other({*(*states)[0]});
      other.deposit("op-second", "alice", 1);
      Plan others = other.build();
      auto written = (*transaction)->write(others);
      if (!written || !std::holds_alternative<WritesDone>(*written)) {
        ++refused;
        continue;
      }
      second_done = (*transaction)->commit().has_value();
    }
  });
  const auto written = first->write(plan);
  const bool first_done =
      written && std::holds_alternative<WritesDone>(*written) && first->commit().has_value();
  first.reset();
  second.join();
  EXPECT_EQ(balance("alice"), first_done ? 111 : 101);
  // One of them is always let through.
  EXPECT_TRUE(first_done || refused == 0);
}

TEST_P(StoreConformance, a_writer_that_waits_is_refused_at_its_deadline_or_let_in) {
  create_with("alice", 100);
  auto first = begin();
  static_cast<void>(load(*first, {"alice"}));
  const Instant before = system_clock().now();
  auto second = store().begin(before + std::chrono::milliseconds(50));
  if (!second) {
    EXPECT_EQ(second.error().code, Code::unavailable);
    EXPECT_EQ(second.error().certainty, Certainty::not_applied);
    EXPECT_GE(system_clock().now(), before + std::chrono::milliseconds(50));
  }
  first.reset();
  EXPECT_TRUE(store().begin(soon()));
}

TEST_P(StoreConformance, a_waiting_writer_is_let_in_when_the_first_one_ends) {
  auto first = begin();
  std::atomic<bool> entered = false;
  std::jthread second([&] {
    auto transaction = store().begin(soon());
    entered = transaction.has_value();
  });
  first.reset();
  second.join();
  EXPECT_TRUE(entered);
}

}  // namespace
}  // namespace mizan::conformance
