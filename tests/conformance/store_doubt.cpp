#include "testkit/faulty_store.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

namespace mizan::conformance {
namespace {

/// A store of the candidate's kind in a directory of its own, whose commits lie on demand.
std::unique_ptr<FaultyStore> faulty(const StoreCandidate& candidate, const StorePlace& place) {
  StorePlace fresh = place;
  fresh.directory /= "faulty";
  std::filesystem::create_directory(fresh.directory);
  auto store = std::make_unique<FaultyStore>(must(candidate.open(fresh)));
  static_cast<void>(must(store->migrate()));
  auto transaction = must(store->begin(soon()));
  static_cast<void>(must(transaction->insert_wallet(wallet("alice"), test_epoch())));
  must(transaction->commit());
  return store;
}

/// One deposit of 10 in a transaction of its own; answers what the commit answered.
Status deposit_once(Store& store, std::string_view id) {
  auto transaction = must(store.begin(soon()));
  const OperationId operation(id);
  const OperationId* ids[] = {&operation};
  if (!must(transaction->claim(ids)).empty()) return {};
  auto states = must(transaction->load_wallets(std::array{WalletId("alice")}, LoadLock::update));
  PlanBuilder builder({states.at(0).value()});
  builder.deposit(id, "alice", 10);
  Plan plan = builder.build();
  static_cast<void>(must(transaction->write(plan)));
  return transaction->commit();
}

std::int64_t balance_in(Store& store) {
  return must_have(must(store.snapshot())->find_wallet(WalletId("alice"))).balance.value();
}

TEST_P(StoreConformance, a_commit_that_was_done_but_not_reported_is_found_by_its_id) {
  auto store = faulty(GetParam(), place());
  store->fail("commit", Fault::commit_applied_unreported);
  const Status committed = deposit_once(*store, "op-1");
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().certainty, Certainty::unknown);
  EXPECT_TRUE(must(must(store->snapshot())->find_operation(OperationId("op-1"))));
  must(deposit_once(*store, "op-1"));
  EXPECT_EQ(balance_in(*store), 10);
}

TEST_P(StoreConformance, a_commit_that_was_lost_is_not_found_and_can_be_repeated) {
  auto store = faulty(GetParam(), place());
  store->fail("commit", Fault::commit_lost_unreported);
  const Status committed = deposit_once(*store, "op-1");
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().certainty, Certainty::unknown);
  EXPECT_FALSE(must(must(store->snapshot())->find_operation(OperationId("op-1"))));
  must(deposit_once(*store, "op-1"));
  EXPECT_EQ(balance_in(*store), 10);
}

TEST_P(StoreConformance, migrating_again_does_nothing) {
  create_with("alice", 100);
  apply({"alice"}, [](PlanBuilder& plan) { plan.hold("hold-1", "alice", 5); });
  const std::string before = everything_in(store());
  EXPECT_TRUE(must(store().migrate()).empty());
  EXPECT_EQ(before, everything_in(store()));
  if (!GetParam().persistent) return;
  reopen();
  EXPECT_TRUE(must(store().migrate()).empty());
  EXPECT_EQ(before, everything_in(store()));
}

TEST_P(StoreConformance, what_was_committed_is_there_after_opening_again) {
  if (!GetParam().persistent) GTEST_SKIP() << "it keeps nothing";
  create_with("alice", 100);
  create_with("bob", 0);
  apply({"alice", "bob"}, [](PlanBuilder& plan) {
    plan.transfer("op-1", {{"alice", "bob", 30}, {"bob", "", 1}})
        .hold("hold-1", "alice", 5, at_second(60), "bob")
        .refusal("op-2", Code::wallet_frozen);
  });
  {
    auto transaction = begin();
    ASSERT_TRUE(must(transaction->insert_currency({CurrencyCode("PTS"), 1})));
    must(transaction->commit());
  }
  const std::string before = everything_in(store());
  reopen();
  EXPECT_EQ(before, everything_in(store()));
  EXPECT_TRUE(recorded(*snapshot(), "op-2").refusal);
  transfer("op-3", "alice", "bob", 1);
  EXPECT_EQ(balance("bob"), 30);
}

TEST_P(StoreConformance, a_store_describes_itself_and_sees_its_doctor) {
  const StoreDescription description = store().describe();
  EXPECT_TRUE(GetParam().name.starts_with(description.name)) << description.name;
  EXPECT_FALSE(description.version.empty());
  EXPECT_FALSE(description.durability.empty());
  for (const Finding& finding : must(store().doctor())) {
    EXPECT_FALSE(finding.name.empty());
    EXPECT_FALSE(finding.detail.empty());
    EXPECT_NE(finding.level, Finding::Level::problem) << finding.name << ": " << finding.detail;
  }
  EXPECT_EQ(must(store().disk_bytes()) > 0, GetParam().persistent);
}

}  // namespace
}  // namespace mizan::conformance
