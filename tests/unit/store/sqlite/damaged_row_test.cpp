#include "mizan/ledger.hpp"

#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

namespace mizan::sqlite {
namespace {

/// A file can hold whatever somebody wrote into it: readers say which row is damaged, and go on
/// with everything else.
class DamagedRows : public SqliteTest {
 protected:
  DamagedRows() {
    auto store = open();
    create(*store, {"alice", "bob"});
    transfer(*store, "op-1", 7);
    transfer(*store, "op-2", 1);
    apply(*store, {"alice"}, [](testkit::PlanBuilder& plan) { plan.hold("hold-1", "alice", 2); });
  }

  void damage(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
    const std::string text = "PRAGMA ignore_check_constraints = 1; " + sql;
    EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    EXPECT_GT(sqlite3_changes(database), 0);
    sqlite3_close(database);
  }

  template <class T>
  static void expect_damaged(const Result<T>& result, std::string_view row) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::internal);
    EXPECT_EQ(result.error().retry, Retry::never);
    EXPECT_NE(result.error().detail.find("damaged row"), std::string::npos)
        << result.error().detail;
    EXPECT_NE(result.error().detail.find(row), std::string::npos) << result.error().detail;
  }

  [[nodiscard]] std::unique_ptr<Store> reader() const {
    return must(open_sqlite_store(reader_options(), system_clock()));
  }

  static EntryQuery entries_of(std::string_view wallet) {
    EntryQuery query;
    query.wallet = WalletId(wallet);
    query.limit = 10;
    return query;
  }
};

TEST_F(DamagedRows, a_type_that_no_operation_has_names_the_sequence) {
  damage("UPDATE journal SET type = 99 WHERE sequence = 2");
  const auto store = reader();
  const auto snapshot = must(store->snapshot());
  expect_damaged(snapshot->find_operation(OperationId("op-2")), "journal sequence 2");
  expect_damaged(snapshot->read_journal(Sequence{0}, 10), "journal sequence 2");
  expect_damaged(snapshot->list_entries(entries_of("bob")), "journal sequence 2");
  EXPECT_TRUE(must(snapshot->find_operation(OperationId("op-1"))));
}

TEST_F(DamagedRows, verify_names_the_row_and_says_that_it_stopped_there) {
  damage("UPDATE journal SET type = 99 WHERE sequence = 2");
  const auto store = reader();
  const auto report = verify(*store);
  expect_damaged(report, "journal sequence 2");
  EXPECT_NE(report.error().detail.find("verify stopped there"), std::string::npos)
      << report.error().detail;
  EXPECT_EQ(report.error().detail.find("findings before it"), std::string::npos);
}

TEST_F(DamagedRows, verify_tells_what_it_found_before_it_had_to_stop) {
  damage("UPDATE wallets SET exponent = 1 WHERE number = 1");
  damage("UPDATE journal SET type = 99 WHERE sequence = 2");
  const auto store = reader();
  const auto report = verify(*store);
  expect_damaged(report, "journal sequence 2");
  EXPECT_NE(report.error().detail.find("findings before it: 1, the first: I1 alice: "),
            std::string::npos)
      << report.error().detail;
}

TEST_F(DamagedRows, a_status_that_no_wallet_has_names_the_wallet) {
  damage("UPDATE balances SET status = 3 WHERE wallet = 2");
  const auto store = open();
  {
    const auto snapshot = must(store->snapshot());
    expect_damaged(snapshot->find_wallet(WalletId("bob")), "wallet bob");
    expect_damaged(snapshot->list_wallets(std::nullopt, 10), "wallet bob");
    expect_damaged(snapshot->read_states(WalletNumber{0}, 10), "wallet bob");
    EXPECT_TRUE(must(snapshot->find_wallet(WalletId("alice"))));
  }
  const WalletId bob("bob");
  auto transaction = must(store->begin(soon()));
  expect_damaged(transaction->load_wallets(std::span(&bob, 1), LoadLock::update), "wallet bob");
}

TEST_F(DamagedRows, numbers_that_cannot_be_computed_with_name_the_wallet) {
  for (const char* column : {"balances SET held = -1 WHERE wallet",
                             "balances SET balance = -9223372036854775808, held = 1 WHERE wallet",
                             "wallets SET exponent = 200 WHERE number"}) {
    damage("UPDATE " + std::string(column) + " = 2");
    const auto store = reader();
    expect_damaged(must(store->snapshot())->find_wallet(WalletId("bob")), "wallet bob");
    damage("UPDATE balances SET balance = 8, held = 0 WHERE wallet = 2");
  }
}

TEST_F(DamagedRows, a_status_that_no_hold_has_names_the_hold) {
  damage("UPDATE holds SET status = 4");
  const auto store = reader();
  const auto snapshot = must(store->snapshot());
  expect_damaged(snapshot->find_hold(OperationId("hold-1")), "hold hold-1");
  expect_damaged(snapshot->read_holds(std::nullopt, 10), "hold hold-1");
}

TEST_F(DamagedRows, a_hold_captured_beyond_its_amount_names_the_hold) {
  damage("UPDATE holds SET captured = 3");
  const auto store = reader();
  expect_damaged(must(store->snapshot())->find_hold(OperationId("hold-1")), "hold hold-1");
}

TEST_F(DamagedRows, metadata_that_cannot_be_read_is_damage_and_nobodys_invalid_request) {
  damage("UPDATE journal SET metadata = '{\"a\":' WHERE sequence = 2");
  damage("UPDATE wallets SET metadata = '[]' WHERE id = 'bob'");
  const auto store = reader();
  const auto snapshot = must(store->snapshot());
  expect_damaged(snapshot->find_operation(OperationId("op-2")), "journal sequence 2");
  expect_damaged(snapshot->read_journal(Sequence{0}, 10), "journal sequence 2");
  expect_damaged(snapshot->list_entries(entries_of("bob")), "journal sequence 2");
  expect_damaged(snapshot->find_wallet(WalletId("bob")), "wallet bob");
}

TEST_F(DamagedRows, links_and_refusals_that_cannot_be_read_name_the_sequence) {
  damage("UPDATE journal SET links = x'ff' WHERE sequence = 2");
  damage("UPDATE journal SET refusal = '{\"code\":\"99\"}' WHERE sequence = 1");
  const auto store = reader();
  const auto snapshot = must(store->snapshot());
  expect_damaged(snapshot->read_journal(Sequence{0}, 10), "journal sequence 2");
  expect_damaged(snapshot->find_operation(OperationId("op-1")), "journal sequence 1");
}

}  // namespace
}  // namespace mizan::sqlite
