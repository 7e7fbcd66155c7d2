#include "store/sql/plan_rows.hpp"

#include "testkit/plan_builder.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mizan::sql {
namespace {

using testkit::PlanBuilder;

/// A wallet as it stands after `version` entries of 1 each, one per sequence from 1 on.
WalletState wallet_at(const char* id, std::int64_t number, std::uint64_t version) {
  WalletState state;
  state.number = WalletNumber{number};
  state.id = WalletId(id);
  state.version = version;
  state.balance = MinorUnits{static_cast<std::int64_t>(version)};
  state.links.head = Sequence{static_cast<std::int64_t>(version)};
  state.links.block = Sequence{static_cast<std::int64_t>(version - version % history_stride)};
  return state;
}

/// Entry number v of such a wallet stands at sequence v.
Result<Sequence> stored_jump(WalletNumber /*wallet*/, Sequence entry) {
  return Sequence{
      static_cast<std::int64_t>(jump_version(static_cast<std::uint64_t>(entry.value())))};
}

constexpr Sequence first{1'000'000};

TEST(PlanRows, every_leg_is_a_row_and_the_first_of_an_operation_is_marked) {
  PlanBuilder builder({wallet_at("alice", 7, 0), wallet_at("bob", 3, 0)});
  builder.deposit("op-1", "alice", 5)
      .transfer("op-2", {{"alice", "bob", 2}, {"bob", "alice", 1}})
      .hold("op-3", "alice", 1);
  Plan plan = builder.build();
  EXPECT_EQ(count_rows(plan), 4U);
  const auto rows = lay_out(plan, first, stored_jump);
  ASSERT_TRUE(rows) << rows.error().detail;
  ASSERT_EQ(rows->journal.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rows->journal[i].sequence.value(), first.value() + static_cast<std::int64_t>(i));
    EXPECT_EQ(rows->journal[i].is_first, i != 2);
  }
  EXPECT_EQ(rows->journal[0].from, world_number);
  EXPECT_EQ(rows->journal[1].from, WalletNumber{7});
  EXPECT_EQ(rows->journal[1].to, WalletNumber{3});
  EXPECT_EQ(rows->journal[3].leg, nullptr);
  ASSERT_EQ(rows->wallets.size(), 2U);
  EXPECT_EQ(rows->wallets[0].change->after.number, WalletNumber{3}) << "in order of number";
}

TEST(PlanRows, entries_link_to_the_one_before_and_to_where_the_rule_says) {
  for (const std::uint64_t before : {0U, 14U, 15U, 16U, 250U, 255U, 256U, 4'090U, 4'095U}) {
    PlanBuilder builder({wallet_at("alice", 7, before)});
    for (int i = 0; i < 40; ++i) builder.deposit("op-" + std::to_string(i), "alice", 1);
    Plan plan = builder.build();
    const auto rows = lay_out(plan, first, stored_jump);
    ASSERT_TRUE(rows) << rows.error().detail;
    const auto sequence_of = [&](std::uint64_t version) {
      if (version <= before) return static_cast<std::int64_t>(version);
      return first.value() + static_cast<std::int64_t>(version - before - 1);
    };
    for (const JournalRow& row : rows->journal) {
      const std::uint64_t version = row.leg->to_version;
      ASSERT_EQ(row.to_links.previous.value(), sequence_of(version - 1)) << version;
      ASSERT_EQ(row.to_links.jump.value(), sequence_of(jump_version(version))) << version;
    }
    EXPECT_EQ(plan.wallets[0].after.links.head, rows->journal.back().sequence);
    EXPECT_EQ(rows->wallets[0].version_before, before);
    EXPECT_EQ(rows->wallets[0].balance_before, static_cast<std::int64_t>(before));
  }
}

TEST(PlanRows, a_wallet_without_entries_keeps_its_chain) {
  PlanBuilder builder({wallet_at("alice", 7, 20)});
  builder.touch("alice", WalletStatus::frozen);
  Plan plan = builder.build();
  const auto rows = lay_out(plan, first, stored_jump);
  ASSERT_TRUE(rows);
  EXPECT_TRUE(rows->journal.empty());
  EXPECT_EQ(rows->wallets[0].links.head, Sequence{20});
  EXPECT_EQ(rows->wallets[0].version_before, 20U);
}

TEST(PlanRows, a_plan_that_contradicts_itself_is_an_alarm) {
  const auto refused = [](auto spoil) {
    PlanBuilder builder({wallet_at("alice", 7, 5), wallet_at("bob", 3, 5)});
    builder.transfer("op-1", "alice", "bob", 2).transfer("op-2", "alice", "bob", 2);
    Plan plan = builder.build();
    spoil(plan);
    const auto rows = lay_out(plan, first, stored_jump);
    return !rows && rows.error().code == Code::internal;
  };
  EXPECT_FALSE(refused([](Plan&) {}));
  EXPECT_TRUE(refused([](Plan& plan) { plan.operations[1].legs[0].from_version += 1; }));
  EXPECT_TRUE(refused([](Plan& plan) { plan.operations[1].legs[0].to_balance = MinorUnits{100}; }));
  EXPECT_TRUE(refused([](Plan& plan) { plan.operations[0].legs[0].amount = MinorUnits{0}; }));
  EXPECT_TRUE(refused([](Plan& plan) { plan.operations[0].legs[0].to = 9; }));
  EXPECT_TRUE(refused([](Plan& plan) { plan.wallets[0].after.balance = MinorUnits{77}; }));
  EXPECT_TRUE(refused([](Plan& plan) { plan.wallets[0].after.links.head = Sequence{}; }));
}

}  // namespace
}  // namespace mizan::sql
