// The guard on MariaDB: the user's own tables beside the ledger.

#include "mizan/guard.hpp"

#include "testkit/temp_dir.hpp"
#include "tests/conformance/mariadb_place.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

constexpr Fingerprint some_content{std::byte{1}, std::byte{2}};

class MariadbGuard : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"mariadb", MariadbServer::why_missing})) return;
    store_ = must(open_mariadb(directory_.path(), system_clock()));
    static_cast<void>(must(store_->migrate()));
    must((*MariadbServer::shared())
             ->execute("CREATE TABLE " + stock() +
                       " (item VARCHAR(64) PRIMARY KEY, count INTEGER, price DOUBLE PRECISION, "
                       "weight DECIMAL(8, 3), sold BOOLEAN); INSERT INTO " +
                       stock() + " VALUES ('tea', 3, 1.5, 0.250, false)"));
  }

  /// A table of the user's.
  [[nodiscard]] std::string stock() const { return "stock_" + prefix_of(directory_.path()); }

  [[nodiscard]] std::unique_ptr<GuardTransaction> begin() {
    return must(store_->guards()->begin(soon()));
  }

  [[nodiscard]] std::int64_t count_of_tea() {
    const auto rows = must(begin()->sql().query("SELECT count FROM " + stock(), {}));
    return std::get<std::int64_t>(rows.at(0).at(0));
  }

  [[nodiscard]] GuardedWork sell_one() {
    return [this](SqlSession& sql) -> Result<std::string> {
      auto sold = sql.execute("UPDATE " + stock() + " SET count = count - 1 WHERE count > 0", {});
      if (!sold) return sold.error();
      return std::to_string(*sold);
    };
  }

  TempDir directory_{"mizan-guard"};
  std::unique_ptr<Store> store_;
};

GuardRequest request(std::string_view id) {
  GuardRequest made;
  made.id = OperationId(id);
  made.content = "sell tea";
  return made;
}

TEST_F(MariadbGuard, runs_the_work_once_and_replays_its_result) {
  Guard guard(*store_, system_clock(), {});
  const auto first = must(guard.run(request("op-1"), sell_one()));
  ASSERT_TRUE(std::holds_alternative<GuardApplied>(first));
  EXPECT_EQ(std::get<GuardApplied>(first).result, "1");
  const auto again = must(guard.run(request("op-1"), sell_one()));
  EXPECT_TRUE(std::holds_alternative<GuardReplayed>(again));
  GuardRequest other = request("op-1");
  other.content = "sell coffee";
  EXPECT_TRUE(std::holds_alternative<GuardMismatch>(must(guard.run(other, sell_one()))));
  EXPECT_EQ(count_of_tea(), 2);
}

TEST_F(MariadbGuard, runs_the_work_once_for_many_that_ask_at_once) {
  std::atomic<int> applied = 0;
  std::atomic<int> replayed = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        Guard guard(*store_, system_clock(), {});
        const auto outcome = guard.run(request("op-1"), sell_one());
        if (outcome && std::holds_alternative<GuardApplied>(*outcome)) ++applied;
        if (outcome && std::holds_alternative<GuardReplayed>(*outcome)) ++replayed;
      });
    }
  }
  EXPECT_EQ(applied, 1);
  EXPECT_EQ(replayed, 5);
  EXPECT_EQ(count_of_tea(), 2);
}

TEST_F(MariadbGuard, keeps_nothing_of_work_that_failed) {
  Guard guard(*store_, system_clock(), {});
  const auto outcome = guard.run(request("op-1"), [&](SqlSession& sql) -> Result<std::string> {
    static_cast<void>(sql.execute("DELETE FROM " + stock(), {}));
    auto wrong = sql.execute("UPDATE " + stock() + " SET no_such_column = 1", {});
    return wrong ? Result<std::string>("") : wrong.error();
  });
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::invalid_request);
  EXPECT_EQ(count_of_tea(), 3);
  EXPECT_FALSE(must(store_->guards()->find(OperationId("op-1"))));
}

TEST_F(MariadbGuard, names_every_stale_fence) {
  const std::vector<Fence> newer = {fence("tea", 7), fence("milk", 9)};
  {
    auto transaction = begin();
    static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, newer)));
    must(transaction->commit());
  }
  const std::vector<Fence> mixed = {fence("tea", 6), fence("sugar", 1), fence("milk", 8)};
  const auto admission = must(begin()->admit(OperationId("op-2"), some_content, mixed));
  ASSERT_TRUE(std::holds_alternative<FencesStale>(admission));
  const auto& stale = std::get<FencesStale>(admission).fences;
  ASSERT_EQ(stale.size(), 2U);
  EXPECT_EQ(stale[1].resource, Resource("milk"));
  EXPECT_EQ(stale[1].newest, FenceToken{9});
}

TEST_F(MariadbGuard, binds_and_reads_values_of_every_kind) {
  auto transaction = begin();
  SqlSession& sql = transaction->sql();
  const std::vector<SqlValue> row = {
      std::string("'; DROP TABLE x; --"), std::int64_t{INT32_MAX}, 0.1, std::monostate()};
  EXPECT_EQ(must(sql.execute("INSERT INTO " + stock() + " VALUES (?, ?, ?, ?, true)", row)), 1);
  const std::vector<SqlValue> key = {std::string("'; DROP TABLE x; --")};
  const auto rows = must(sql.query("SELECT * FROM " + stock() + " WHERE item = ?", key));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(std::get<std::string>(rows[0][0]), "'; DROP TABLE x; --");
  EXPECT_EQ(std::get<std::int64_t>(rows[0][1]), INT32_MAX);
  EXPECT_EQ(std::get<double>(rows[0][2]), 0.1);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(rows[0][3]));
  EXPECT_EQ(std::get<std::int64_t>(rows[0][4]), 1);
  const auto weight = must(sql.query("SELECT weight FROM " + stock() + " WHERE item = 'tea'", {}));
  EXPECT_EQ(std::get<std::string>(weight[0][0]), "0.250") << "exact numbers stay exact";
  EXPECT_EQ(must(sql.execute("SELECT 1", {})), 0);
}

TEST_F(MariadbGuard, keeps_a_result_of_any_bytes) {
  const std::string result("a\0b\xff", 4);
  {
    auto transaction = begin();
    static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, {})));
    must(transaction->store_result(OperationId("op-1"), result));
    must(transaction->commit());
  }
  EXPECT_EQ(must(store_->guards()->find(OperationId("op-1"))).value().result, result);
}

TEST_F(MariadbGuard, refuses_control_of_the_transaction_and_two_statements_in_one) {
  for (const char* text : {"COMMIT",
                           "ROLLBACK",
                           "SET autocommit = 1",
                           "SELECT 1; COMMIT",
                           "CREATE TABLE t (a INT)",
                           "TRUNCATE TABLE t",
                           "CALL p()",
                           "/*! COMMIT */",
                           "SELECT 1 /*M! INTO @a */"}) {
    auto transaction = begin();
    static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, {})));
    const auto answer = transaction->sql().execute(text, {});
    ASSERT_FALSE(answer) << text;
    EXPECT_EQ(answer.error().code, Code::invalid_request) << text;
  }
  EXPECT_FALSE(must(store_->guards()->find(OperationId("op-1"))));
}

TEST_F(MariadbGuard, refuses_the_ledgers_tables_by_name) {
  const std::string prefix = prefix_of(directory_.path());
  for (const std::string& name : {prefix + "wallets", "`" + prefix + "wallets`"}) {
    auto transaction = begin();
    const auto answer = transaction->sql().query("SELECT * FROM " + name, {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Code::invalid_request);
  }
}

TEST_F(MariadbGuard, does_nothing_more_after_a_statement_failed) {
  auto transaction = begin();
  static_cast<void>(must(transaction->admit(OperationId("op-1"), some_content, {})));
  ASSERT_FALSE(transaction->sql().execute("INSERT INTO " + stock() + " (item) VALUES ('tea')", {}));
  EXPECT_FALSE(transaction->sql().execute("DELETE FROM " + stock(), {}))
      << "it would be in a transaction of its own";
  EXPECT_FALSE(transaction->commit());
  EXPECT_EQ(count_of_tea(), 3);
}

}  // namespace
}  // namespace mizan::conformance
