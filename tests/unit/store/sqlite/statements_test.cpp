#include "mizan/key_table.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"
#include "tests/unit/store/sqlite/failing_sync.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::sqlite {
namespace {

using testkit::PlanBuilder;

class SqliteStatements : public SqliteTest {
 protected:
  SqliteStatements() : store_(open()) { create(*store_, {"alice", "bob"}); }

  void run_operations() {
    apply(*store_, {"alice"}, [](PlanBuilder& plan) {
      for (int i = 0; i < 280; ++i) plan.deposit("many-" + std::to_string(i), "alice", 1);
    });
    // Entry 288 jumps to 256, by way of entry 272 of the batch before.
    apply(*store_, {"alice", "bob"}, [](PlanBuilder& plan) {
      plan.transfer("op-1", {{"alice", "bob", 1}, {"bob", "alice", 2}});
      for (int i = 0; i < 10; ++i) plan.deposit("more-" + std::to_string(i), "alice", 1);
      plan.hold("hold-1", "alice", 5, testkit::at_second(1)).reverse("op-2", "op-1", {});
    });
    auto transaction = must(store_->begin(soon()));
    const HoldRecord hold = must(transaction->load_hold(OperationId("hold-1"))).value();
    EXPECT_EQ(must(transaction->load_due_holds(testkit::at_second(2), 10)).size(), 1U);
    EXPECT_TRUE(must(transaction->load_reversible(OperationId("op-1"))));
    PlanBuilder builder(load(*transaction, {"alice", "bob"}));
    builder.capture("op-3", hold, 5);
    Plan plan = builder.build();
    static_cast<void>(must(transaction->write(plan)));
    must(transaction->commit());
  }

  void run_deltas() {
    auto transaction = must(store_->begin(soon()));
    PlanBuilder builder(load(*transaction, {"alice"}));
    const WalletState state = load(*transaction, {"alice"}).front();
    const WalletNumber number = state.number;
    static_cast<void>(must(transaction->load_wallets_by_number({&number, 1}, LoadLock::none)));
    const WalletState* known = &state;
    EXPECT_TRUE(must(transaction->find_stale({&known, 1})).empty());
    GuardedDelta delta;
    delta.wallet = WalletId("alice");
    delta.balance_change = MinorUnits{1};
    static_cast<void>(must(transaction->apply_deltas({&delta, 1})));
    builder.deposit("op-4", "alice", 1);
    Plan plan = builder.build();
    static_cast<void>(must(transaction->record(plan)));
    must(transaction->commit());
  }

  void run_administration() {
    auto transaction = must(store_->begin(soon()));
    EXPECT_TRUE(must(transaction->insert_currency({CurrencyCode("XYZ"), 3})));
    EXPECT_TRUE(must(transaction->find_currency(CurrencyCode("XYZ"))));
    const WalletState state = load(*transaction, {"alice"}).front();
    must(transaction->update_metadata(state.number, must(Metadata::make({{"a", "b"}}))));
    EXPECT_EQ(must(transaction->load_wallet_details(state)).metadata.items().size(), 1U);
    static_cast<void>(must(transaction->load_fence(Resource("r"))));
    static_cast<void>(must(transaction->advance_fence(testkit::fence("r", 1))));
    must(transaction->commit());
  }

  void run_leases_and_guards() {
    const LockOwner me("me");
    const Resource resource("r");
    LeaseTable& leases = store_->leases();
    static_cast<void>(must(leases.acquire(resource, me, std::chrono::seconds(60))));
    static_cast<void>(must(leases.acquire(resource, LockOwner("you"), std::chrono::seconds(1))));
    EXPECT_TRUE(must(leases.renew(resource, me, std::chrono::seconds(60))));
    EXPECT_TRUE(must(leases.release(resource, me)));
    EXPECT_EQ(must(store_->epochs()->next_epoch(0)), 1);
    KeyRecord key;
    key.id = "k";
    key.scopes = 1;
    must(store_->keys()->add(key));
    EXPECT_TRUE(must(store_->keys()->revoke("k", testkit::at_second(1))));
    EXPECT_EQ(must(store_->keys()->list()).size(), 1U);
    auto guard = must(store_->guards()->begin(soon()));
    static_cast<void>(must(guard->admit(OperationId("g"), {}, {})));
    must(guard->store_result(OperationId("g"), "r"));
    must(guard->commit());
    EXPECT_TRUE(must(store_->guards()->find(OperationId("g"))));
  }

  void run_events_and_documents() {
    EXPECT_FALSE(must(store_->events()->read(EventPlace{0}, 10)).items.empty());
    EXPECT_GT(must(store_->events()->newest()), EventPlace{0});
    DocumentTable& documents = *store_->documents();
    EXPECT_TRUE(must(documents.write("kind", {"one", 0, "x"})));
    EXPECT_TRUE(must(documents.write("kind", {"one", 1, "y"})));
    EXPECT_TRUE(must(documents.find("kind", "one")));
    EXPECT_EQ(must(documents.list("kind", "", 10)).size(), 1U);
    EXPECT_TRUE(must(documents.remove("kind", "one")));
  }

  void run_failed_commit() {
    auto transaction = must(store_->begin(soon()));
    EXPECT_TRUE(must(transaction->insert_currency({CurrencyCode("ZZZ"), 1})));
    const FailingSync disk;
    EXPECT_FALSE(transaction->commit());
  }

  void run_reading() {
    auto snapshot = must(store_->snapshot());
    EXPECT_EQ(must(snapshot->list_wallets({}, 10)).items.size(), 2U);
    EXPECT_EQ(must(snapshot->read_states(WalletNumber{0}, 10)).items.size(), 2U);
    EXPECT_EQ(must(snapshot->read_holds({}, 10)).items.size(), 1U);
    EXPECT_TRUE(must(snapshot->sum_due_holds(testkit::at_second(2))).empty());
    EXPECT_FALSE(must(snapshot->read_journal(Sequence{0}, 1'000)).items.empty());
    EXPECT_TRUE(must(snapshot->find_operation(OperationId("op-1"))));
    EXPECT_TRUE(must(snapshot->find_operation(OperationId("op-3")))->receipt.hold);
    EXPECT_TRUE(must(snapshot->find_wallet(WalletId("alice"))));
    EXPECT_TRUE(must(snapshot->wallet_id(WalletNumber{1})));
    EXPECT_TRUE(must(snapshot->find_world(CurrencyCode("EUR"))));
    EXPECT_EQ(must(snapshot->list_currencies()).size(), 1U);
    EXPECT_FALSE(must(snapshot->list_entries({WalletId("alice"), {}, {}, {}, 100})).items.empty());
  }

  std::unique_ptr<Store> store_;
};

TEST_F(SqliteStatements, a_smoke_run_exercises_every_statement_by_name) {
  run_operations();
  run_deltas();
  run_administration();
  run_leases_and_guards();
  run_events_and_documents();
  run_failed_commit();
  run_reading();
  static_cast<void>(must(store_->doctor()));
  static_cast<void>(must(store_->begin(soon())));  // Rolled back.
  const std::vector<std::string_view> used = used_statements();
  for (const auto& [name, text] : sqlite_sql::all_statements) {
    EXPECT_NE(std::find(used.begin(), used.end(), name), used.end()) << name << ".sql is never run";
  }
}

}  // namespace
}  // namespace mizan::sqlite
