#include "store/sqlite/connection.hpp"
#include "store/sqlite/guard_table.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::sqlite {
namespace {

constexpr Fingerprint some_content{std::byte{1}, std::byte{2}};

class SqliteGuard : public SqliteTest {
 protected:
  SqliteGuard() : store_(open()) {
    create(*store_, {"alice", "bob"});
    auto transaction = begin();
    run(*transaction, "CREATE TABLE stock (item TEXT PRIMARY KEY, count INTEGER, price REAL)");
    run(*transaction, "INSERT INTO stock VALUES ('tea', 3, 1.5)");
    must(transaction->commit());
  }

  [[nodiscard]] std::unique_ptr<GuardTransaction> begin() {
    return must(store_->guards()->begin(soon()));
  }

  static void run(GuardTransaction& transaction, std::string_view sql) {
    static_cast<void>(must(transaction.sql().execute(sql, {})));
  }

  [[nodiscard]] std::int64_t count_of_tea() {
    auto transaction = begin();
    const auto rows = must(transaction->sql().query("SELECT count FROM stock", {}));
    return std::get<std::int64_t>(rows.at(0).at(0));
  }

  std::unique_ptr<Store> store_;
};

TEST_F(SqliteGuard, an_admitted_operation_is_known_once_it_is_committed) {
  const OperationId id("op-1");
  EXPECT_FALSE(must(store_->guards()->find(id)));
  {
    auto transaction = begin();
    const auto admission = must(transaction->admit(id, some_content, {}));
    ASSERT_TRUE(std::holds_alternative<Admitted>(admission));
    run(*transaction, "UPDATE stock SET count = count - 1");
    must(transaction->store_result(id, "two left"));
    must(transaction->commit());
  }
  EXPECT_EQ(count_of_tea(), 2);
  const auto found = must(store_->guards()->find(id));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fingerprint, some_content);
  EXPECT_EQ(found->result, "two left");
  const auto again = must(begin()->admit(id, {}, {}));
  ASSERT_TRUE(std::holds_alternative<GuardRecord>(again));
  EXPECT_EQ(std::get<GuardRecord>(again).result, "two left");
}

TEST_F(SqliteGuard, what_is_not_committed_leaves_no_trace) {
  const OperationId id("op-1");
  {
    auto transaction = begin();
    static_cast<void>(must(transaction->admit(id, some_content, {})));
    run(*transaction, "DELETE FROM stock");
  }
  EXPECT_EQ(count_of_tea(), 3);
  EXPECT_FALSE(must(store_->guards()->find(id)));
}

TEST_F(SqliteGuard, a_stale_fence_is_not_admitted) {
  const Fence newer = testkit::fence("tea", 7, "me");
  {
    auto transaction = begin();
    static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, {&newer, 1})));
    must(transaction->commit());
  }
  const Fence older = testkit::fence("tea", 6, "you");
  const auto admission = must(begin()->admit(OperationId("op-2"), some_content, {&older, 1}));
  ASSERT_TRUE(std::holds_alternative<FencesStale>(admission));
  ASSERT_EQ(std::get<FencesStale>(admission).fences.size(), 1U);
  EXPECT_EQ(std::get<FencesStale>(admission).fences[0].newest, FenceToken{7});
}

TEST_F(SqliteGuard, every_stale_fence_is_named) {
  const std::vector<Fence> newer = {testkit::fence("tea", 7), testkit::fence("milk", 9)};
  {
    auto transaction = begin();
    static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, newer)));
    must(transaction->commit());
  }
  const std::vector<Fence> mixed = {
      testkit::fence("tea", 6), testkit::fence("sugar", 1), testkit::fence("milk", 8)};
  const auto admission = must(begin()->admit(OperationId("op-2"), some_content, mixed));
  ASSERT_TRUE(std::holds_alternative<FencesStale>(admission));
  const auto& stale = std::get<FencesStale>(admission).fences;
  ASSERT_EQ(stale.size(), 2U);
  EXPECT_EQ(stale[0].resource, Resource("tea"));
  EXPECT_EQ(stale[0].newest, FenceToken{7});
  EXPECT_EQ(stale[1].resource, Resource("milk"));
  EXPECT_EQ(stale[1].newest, FenceToken{9});
}

TEST_F(SqliteGuard, values_of_every_kind_go_in_and_come_out) {
  auto transaction = begin();
  const std::vector<SqlValue> given = {
      std::monostate(), std::int64_t{INT64_MIN}, 0.25, std::string("a'b;--\0c", 8), std::string()};
  const auto rows = must(transaction->sql().query("SELECT ?, ?, ?, ?, ?", given));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], given);
}

TEST_F(SqliteGuard, execute_answers_the_number_of_changed_rows) {
  auto transaction = begin();
  const std::vector<SqlValue> rows = {std::string("a"), std::string("b")};
  EXPECT_EQ(must(transaction->sql().execute("INSERT INTO stock VALUES (?, 1, 1), (?, 1, 1)", rows)),
            2);
  EXPECT_EQ(must(transaction->sql().execute("UPDATE stock SET count = 0 WHERE item = 'no'", {})),
            0);
  EXPECT_EQ(must(transaction->sql().execute("SELECT 1", {})), 0);
}

struct Refused {
  std::string_view name;
  std::string_view sql;
};

void PrintTo(const Refused& one, std::ostream* out) {
  *out << one.name;
}

class SqliteGuardRefuses : public SqliteGuard, public ::testing::WithParamInterface<Refused> {};

TEST_P(SqliteGuardRefuses, what_is_not_the_users_to_do) {
  auto transaction = begin();
  const auto result = transaction->sql().query(GetParam().sql, {});
  ASSERT_FALSE(result) << GetParam().sql;
  EXPECT_EQ(result.error().code, Code::invalid_request) << text_of(result.error());
  // The session is as good as before, and so is our own work on the same connection.
  run(*transaction, "UPDATE stock SET count = 1");
  EXPECT_TRUE(transaction->admit(OperationId("op-1"), some_content, {}));
  must(transaction->commit());
}

constexpr Refused refused[] = {
    {"begin", "BEGIN"},
    {"commit", "COMMIT"},
    {"end", "END"},
    {"rollback", "ROLLBACK"},
    {"savepoint", "SAVEPOINT s"},
    {"release", "RELEASE s"},
    {"attach", "ATTACH 'other.db' AS other"},
    {"detach", "DETACH main"},
    {"pragma", "PRAGMA synchronous = OFF"},
    {"pragma_reading", "PRAGMA user_version"},
    {"vacuum", "VACUUM"},
    {"vacuum_into", "VACUUM INTO 'other.db'"},
    {"read_balances", "SELECT balance FROM balances"},
    {"read_by_another_case", "SELECT balance FROM BALANCES"},
    {"read_quoted", "SELECT balance FROM main.\"balances\""},
    {"count_without_columns", "SELECT count(*) FROM journal"},
    {"read_in_a_subquery", "SELECT item, (SELECT max(sequence) FROM journal) FROM stock"},
    {"read_a_view", "SELECT * FROM entries"},
    {"read_the_batch", "SELECT * FROM batch_journal"},
    {"insert", "INSERT INTO balances DEFAULT VALUES"},
    {"update", "UPDATE balances SET balance = 1000000"},
    {"erase", "DELETE FROM journal"},
    {"upsert_a_fence", "REPLACE INTO fences VALUES ('tea', 0, '')"},
    {"drop", "DROP TABLE journal"},
    {"drop_an_index", "DROP INDEX journal_operation"},
    {"alter", "ALTER TABLE wallets ADD COLUMN mine TEXT"},
    {"rename", "ALTER TABLE stock RENAME TO balances"},
    {"trigger", "CREATE TRIGGER t AFTER INSERT ON journal BEGIN SELECT 1; END"},
    {"temporary_trigger", "CREATE TEMP TRIGGER t AFTER INSERT ON journal BEGIN SELECT 1; END"},
    {"index", "CREATE INDEX mine ON balances (balance)"},
    {"shadow_table", "CREATE TEMP TABLE balances (x)"},
    {"two_statements", "UPDATE stock SET count = 0; DELETE FROM stock"},
    {"a_hidden_commit", "UPDATE stock SET count = 0; COMMIT"},
    {"nothing", "  -- only a comment"},
    {"bad_sql", "SELEKT 1"},
    {"missing_parameter", "SELECT ?"},
};

INSTANTIATE_TEST_SUITE_P(statements,
                         SqliteGuardRefuses,
                         ::testing::ValuesIn(refused),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(SqliteGuard, a_temporary_table_cannot_take_the_name_of_one_of_ours) {
  auto transaction = begin();
  run(*transaction, "CREATE TEMP TABLE scratch (x)");
  const auto renamed = transaction->sql().query("ALTER TABLE scratch RENAME TO admissions", {});
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().code, Code::invalid_request);
  EXPECT_TRUE(transaction->admit(OperationId("op-1"), some_content, {}));
}

TEST_F(SqliteGuard, nothing_of_the_schema_is_forgotten) {
  std::vector<std::pair<std::string, std::string>> objects;
  {
    auto connection = must(Connection::open(file(), OpenMode::read_only, nullptr));
    sqlite3_stmt* row = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(connection->handle(),
                                 "SELECT type, name FROM sqlite_schema "
                                 "WHERE sql IS NOT NULL AND name <> 'stock'",
                                 -1,
                                 &row,
                                 nullptr),
              SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
      const auto* type = reinterpret_cast<const char*>(sqlite3_column_text(row, 0));
      const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(row, 1));
      objects.emplace_back(type, name);
    }
    sqlite3_finalize(row);
  }
  EXPECT_GE(objects.size(), 14U);
  auto transaction = begin();
  for (const auto& [type, name] : objects) {
    const std::string sql = type == "index" ? "DROP INDEX " + name : "SELECT count(*) FROM " + name;
    EXPECT_FALSE(transaction->sql().query(sql, {})) << sql;
  }
}

TEST_F(SqliteGuard, a_trailing_semicolon_and_comment_are_one_statement) {
  auto transaction = begin();
  EXPECT_TRUE(transaction->sql().query("SELECT 1; -- that is all\n", {}));
}

TEST_F(SqliteGuard, a_users_trigger_cannot_reach_the_ledger) {
  auto transaction = begin();
  // SQLite compiles the body when the trigger first fires; we are asked then.
  static_cast<void>(transaction->sql().execute(
      "CREATE TRIGGER t AFTER UPDATE ON stock BEGIN UPDATE balances SET balance = 9; END", {}));
  const auto fired = transaction->sql().execute("UPDATE stock SET count = 1", {});
  EXPECT_FALSE(fired);
}

TEST_F(SqliteGuard, a_users_view_cannot_reach_the_ledger) {
  auto transaction = begin();
  static_cast<void>(transaction->sql().execute("CREATE VIEW v AS SELECT * FROM balances", {}));
  EXPECT_FALSE(transaction->sql().query("SELECT * FROM v", {}));
}

TEST_F(SqliteGuard, a_statement_that_rolls_back_by_itself_ends_everything) {
  auto transaction = begin();
  static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, {})));
  run(*transaction, "UPDATE stock SET count = 0");
  const auto failed =
      transaction->sql().execute("INSERT OR ROLLBACK INTO stock VALUES ('tea', 1, 1)", {});
  ASSERT_FALSE(failed);
  EXPECT_FALSE(transaction->sql().execute("UPDATE stock SET count = 99", {}));
  EXPECT_FALSE(transaction->store_result(OperationId("op-1"), "done"));
  const Status committed = transaction->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().certainty, Certainty::not_applied);
  transaction.reset();
  EXPECT_EQ(count_of_tea(), 3);
  EXPECT_FALSE(must(store_->guards()->find(OperationId("op-1"))));
}

TEST_F(SqliteGuard, a_violated_constraint_of_the_users_table_is_the_users) {
  auto transaction = begin();
  const auto failed = transaction->sql().execute("INSERT INTO stock VALUES ('tea', 1, 1)", {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::invalid_request);
}

TEST_F(SqliteGuard, the_ledger_goes_on_after_a_guard) {
  {
    auto transaction = begin();
    run(*transaction, "UPDATE stock SET count = 2");
    must(transaction->commit());
  }
  transfer(*store_, "op-1", 5);
  EXPECT_EQ(balance(*store_, "bob"), 5);
}

}  // namespace
}  // namespace mizan::sqlite
