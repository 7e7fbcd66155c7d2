#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace mizan::conformance {
namespace {

std::vector<JournalLeg> read_all(Snapshot& snapshot,
                                 std::size_t limit,
                                 Sequence after = Sequence{0}) {
  std::vector<JournalLeg> legs;
  std::optional<Sequence> next = after;
  do {
    const auto page = must(snapshot.read_journal(*next, limit));
    EXPECT_LE(page.items.size(), limit);
    legs.insert(legs.end(), page.items.begin(), page.items.end());
    next = page.next;
  } while (next);
  return legs;
}

std::vector<std::string> operations(const std::vector<JournalLeg>& legs) {
  std::vector<std::string> ids;
  for (const JournalLeg& leg : legs) ids.push_back(leg.operation.str());
  return ids;
}

TEST_P(StoreConformance, the_journal_has_every_leg_in_commit_order) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    // Ids and times are no order: the later one is smaller.
    plan.at(at_second(50)).transfer("op-z", {{"alice", "bob", 5}, {"bob", "alice", 1}});
    plan.withdraw("op-a", "bob", 2).hold("op-hold", "alice", 5);
  });
  apply({"alice", "bob"},
        [](PlanBuilder& plan) { plan.at(at_second(50)).transfer("op-m", "alice", "bob", 1); });
  auto reader = snapshot();
  const auto legs = read_all(*reader, 10'000);
  EXPECT_EQ(operations(legs),
            (std::vector<std::string>{"fund-alice", "op-z", "op-z", "op-a", "op-m"}));
  for (std::size_t i = 1; i < legs.size(); ++i) {
    EXPECT_LT(legs[i - 1].sequence, legs[i].sequence);
  }
  for (const std::size_t limit : {1U, 2U, 4U, 5U, 6U}) {
    EXPECT_EQ(operations(read_all(*reader, limit)), operations(legs)) << limit;
  }
}

TEST_P(StoreConformance, a_journal_leg_says_everything_about_both_sides) {
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.at(at_second(9)).transfer("op-1", "alice", "bob", 30);
    plan.last().metadata = must(Metadata::make({{"k", "v"}}));
  });
  std::vector<WalletState> states;
  {
    auto transaction = begin();
    states = load(*transaction, {"alice", "bob"});
  }
  auto reader = snapshot();
  const auto legs = read_all(*reader, 10);
  ASSERT_EQ(legs.size(), 2U);
  EXPECT_EQ(legs[0].type, OperationType::deposit);
  EXPECT_EQ(legs[0].from, world_number);
  EXPECT_EQ(legs[0].from_version, 0U);
  EXPECT_EQ(legs[0].to, states[0].number);
  EXPECT_EQ(legs[0].to_balance, MinorUnits{100});
  const JournalLeg& leg = legs[1];
  EXPECT_EQ(leg.operation, OperationId("op-1"));
  EXPECT_EQ(leg.type, OperationType::transfer);
  EXPECT_EQ(leg.at, at_second(9));
  EXPECT_EQ(leg.from, states[0].number);
  EXPECT_EQ(leg.to, states[1].number);
  EXPECT_EQ(leg.amount, MinorUnits{30});
  EXPECT_EQ(leg.from_balance, MinorUnits{70});
  EXPECT_EQ(leg.from_version, 2U);
  EXPECT_EQ(leg.to_balance, MinorUnits{30});
  EXPECT_EQ(leg.to_version, 1U);
  EXPECT_EQ(leg.metadata, must(Metadata::make({{"k", "v"}})));
}

TEST_P(StoreConformance, each_leg_links_to_the_previous_entry_of_both_wallets) {
  create({wallet("alice").unlimited(), wallet("bob").unlimited(), wallet("carol").unlimited()});
  for (int round = 0; round < 4; ++round) {
    apply({"alice", "bob", "carol"}, [&](PlanBuilder& plan) {
      for (int i = 0; i < 25; ++i) {
        const std::string id = std::to_string(round) + "-" + std::to_string(i);
        plan.transfer("ab-" + id, "alice", "bob", 1);
        if (i % 2 == 0) plan.transfer("bc-" + id, "bob", "carol", 1);
        if (i % 5 == 0) plan.deposit("c-" + id, "carol", 1);
      }
    });
  }
  std::map<WalletNumber, Sequence> newest;
  auto reader = snapshot();
  for (const JournalLeg& leg : read_all(*reader, 1'000)) {
    if (leg.from != world_number) {
      ASSERT_EQ(leg.from_links.head, newest[leg.from]);
    }
    if (leg.to != world_number) {
      ASSERT_EQ(leg.to_links.head, newest[leg.to]);
    }
    newest[leg.from] = leg.sequence;
    newest[leg.to] = leg.sequence;
  }
  auto transaction = begin();
  for (const WalletState& state : load(*transaction, {"alice", "bob", "carol"})) {
    EXPECT_EQ(state.links.head, newest[state.number]);
  }
}

TEST_P(StoreConformance, a_reader_that_comes_back_misses_no_leg) {
  create_with("alice", 1'000);
  std::vector<std::string> seen;
  Sequence cursor{0};
  for (int i = 0; i < 20; ++i) {
    apply({"alice"}, [&](PlanBuilder& plan) {
      for (int k = 0; k <= i % 4; ++k) {
        plan.withdraw("op-" + std::to_string(i) + "-" + std::to_string(k), "alice", 1);
      }
    });
    { auto abandoned = begin(); }  // May use up sequence numbers; the gap must not matter.
    auto reader = snapshot();
    for (const JournalLeg& leg : read_all(*reader, 2, cursor)) {
      seen.push_back(leg.operation.str());
      cursor = leg.sequence;
    }
  }
  auto reader = snapshot();
  EXPECT_EQ(seen, operations(read_all(*reader, 10'000)));
  EXPECT_TRUE(read_all(*reader, 10, cursor).empty());
  EXPECT_TRUE(read_all(*reader, 10, Sequence{INT64_MAX}).empty());
}

TEST_P(StoreConformance, every_sum_agrees_with_the_journal) {
  create_with("alice", 500);
  create_with("bob", 300);
  for (int i = 0; i < 20; ++i) transfer("op-" + std::to_string(i), "alice", "bob", i + 1);
  std::map<WalletNumber, std::int64_t> sums;
  std::map<WalletNumber, std::uint64_t> counts;
  auto reader = snapshot();
  for (const JournalLeg& leg : read_all(*reader, 7)) {
    sums[leg.from] -= leg.amount.value();
    sums[leg.to] += leg.amount.value();
    ++counts[leg.from];
    ++counts[leg.to];
  }
  std::int64_t total = 0;
  for (const auto& [number, sum] : sums) total += sum;
  EXPECT_EQ(total, 0);
  for (const WalletState& state : must(reader->read_states(WalletNumber{0}, 100)).items) {
    EXPECT_EQ(state.balance.value(), sums[state.number]);
    EXPECT_EQ(state.version, counts[state.number]);
  }
}

}  // namespace
}  // namespace mizan::conformance
