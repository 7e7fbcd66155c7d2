// The guard's SQL side: plain SQL clients, side by side with each other and with the C++ guard.

#include "mizan/guard.hpp"

#include "base/ledger_resource.hpp"
#include "testkit/eventually.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/postgres_client.hpp"
#include "tests/conformance/postgres_place.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

/// The first 16 bytes of BLAKE2b-256 of "sell tea" and "sell coffee", by Python's hashlib.
constexpr std::string_view sell_tea = "'\\xe846017210738ba3955dd584f318712a'";
constexpr std::string_view sell_coffee = "'\\x1206cc45605cde8a4b26369a8b925122'";

class PostgresAdmit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"postgres", PostgresServer::why_missing})) return;
    store_ = must(open_postgres(directory_.path(), system_clock()));
    static_cast<void>(must(store_->migrate()));
    must((*PostgresServer::shared())
             ->execute("CREATE TABLE " + stock() + " (count integer); INSERT INTO " + stock() +
                       " VALUES (100)"));
  }

  [[nodiscard]] std::string schema() const { return schema_of(directory_.path()); }

  /// A table of the user's.
  [[nodiscard]] std::string stock() const { return "stock_" + schema(); }

  [[nodiscard]] std::string sell_one() const {
    return "UPDATE " + stock() + " SET count = count - 1";
  }

  /// `fence`: nothing, or a comma and the resource, token and owner as SQL.
  [[nodiscard]] std::string admit(std::string_view id,
                                  std::string_view fingerprint = sell_tea,
                                  std::string_view fence = "") const {
    return "SELECT " + schema() + ".admit('" + std::string(id) + "', " + std::string(fingerprint) +
           std::string(fence) + ")";
  }

  [[nodiscard]] std::string keep_result(std::string_view id, std::string_view result) const {
    return "SELECT " + schema() + ".keep_result('" + std::string(id) + "', '" +
           std::string(result) + "')";
  }

  [[nodiscard]] std::string result_of(std::string_view id) const {
    return "SELECT " + schema() + ".result_of('" + std::string(id) + "')";
  }

  /// Everything that the guard has recorded.
  [[nodiscard]] std::string recorded() {
    return client().ask("SELECT concat((SELECT json_agg(a ORDER BY id) FROM " + schema() +
                        ".admissions a), (SELECT json_agg(f ORDER BY resource) FROM " + schema() +
                        ".fences f))");
  }

  [[nodiscard]] std::string stock_left() { return client().ask("SELECT count FROM " + stock()); }

  /// As a caller does it: admit, work, keep the result, commit; else roll back.
  std::string sell(PostgresClient& client, std::string_view id) {
    client.ask("BEGIN");
    const std::string answer = client.ask(admit(id));
    if (answer != "admitted") {
      client.ask("ROLLBACK");
      return answer;
    }
    client.ask(sell_one());
    client.ask(keep_result(id, "sold"));
    return client.ask("COMMIT").empty() ? answer : "not committed";
  }

  /// The same with the guard in C++.
  std::string sell_with_guard(std::string_view id) {
    GuardRequest request;
    request.id = OperationId(id);
    request.content = "sell tea";
    const auto outcome = Guard(*store_, system_clock(), {})
                             .run(request, [this](SqlSession& sql) -> Result<std::string> {
                               auto sold = sql.execute(sell_one(), {});
                               if (!sold) return sold.error();
                               return std::string("sold");
                             });
    if (!outcome) return describe(outcome.error());
    if (std::holds_alternative<GuardApplied>(*outcome)) return "admitted";
    return std::holds_alternative<GuardReplayed>(*outcome) ? "already_applied" : "refused";
  }

  /// Blocks until the server makes the client wait for somebody else.
  [[nodiscard]] bool waits(const PostgresClient& other) {
    return eventually([&] { return client().is_waiting(other); });
  }

  /// For looking on.
  PostgresClient& client() {
    if (!client_) client_ = std::make_unique<PostgresClient>();
    return *client_;
  }

  [[nodiscard]] Store& store() { return *store_; }

 private:
  TempDir directory_{"mizan-admit"};
  std::unique_ptr<Store> store_;
  std::unique_ptr<PostgresClient> client_;
};

TEST_F(PostgresAdmit, says_what_became_of_an_id) {
  EXPECT_EQ(client().ask(result_of("op-1")), "");
  EXPECT_EQ(sell(client(), "op-1"), "admitted");
  EXPECT_EQ(sell(client(), "op-1"), "already_applied");
  EXPECT_EQ(client().ask(admit("op-1", sell_coffee)), "operation_mismatch");
  EXPECT_EQ(client().ask(result_of("op-1")), "sold");
  EXPECT_EQ(stock_left(), "99");
}

TEST_F(PostgresAdmit, admits_one_of_sixteen_clients_that_ask_at_once) {
  constexpr int rounds = 8;
  std::atomic<int> admitted = 0;
  std::atomic<int> repeated = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&] {
        PostgresClient client;
        for (int round = 0; round < rounds; ++round) {
          const std::string answer = sell(client, "op-" + std::to_string(round));
          if (answer == "admitted") ++admitted;
          if (answer == "already_applied") ++repeated;
        }
      });
    }
  }
  EXPECT_EQ(admitted, rounds);
  EXPECT_EQ(repeated, 15 * rounds);
  EXPECT_EQ(stock_left(), std::to_string(100 - rounds));
}

TEST_F(PostgresAdmit, admits_once_between_plain_clients_and_the_cpp_guard) {
  constexpr int rounds = 8;
  std::atomic<int> admitted = 0;
  std::atomic<int> repeated = 0;
  const auto count = [&](const std::string& answer) {
    if (answer == "admitted") ++admitted;
    if (answer == "already_applied") ++repeated;
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        PostgresClient client;
        for (int i = 0; i < rounds; ++i) count(sell(client, "op-" + std::to_string(i)));
      });
      threads.emplace_back([&] {
        for (int i = 0; i < rounds; ++i) count(sell_with_guard("op-" + std::to_string(i)));
      });
    }
  }
  EXPECT_EQ(admitted, rounds);
  EXPECT_EQ(repeated, 11 * rounds);
  EXPECT_EQ(stock_left(), std::to_string(100 - rounds));
}

TEST_F(PostgresAdmit, replays_to_the_cpp_guard_what_a_plain_client_kept_and_back) {
  EXPECT_EQ(sell(client(), "op-sql"), "admitted");
  EXPECT_EQ(sell_with_guard("op-sql"), "already_applied");
  EXPECT_EQ(must(store().guards()->find(OperationId("op-sql"))).value().result, "sold");
  EXPECT_EQ(sell_with_guard("op-cpp"), "admitted");
  EXPECT_EQ(sell(client(), "op-cpp"), "already_applied");
  EXPECT_EQ(client().ask(result_of("op-cpp")), "sold");
  EXPECT_EQ(client().ask(admit("op-cpp", sell_coffee)), "operation_mismatch");
}

TEST_F(PostgresAdmit, makes_the_second_of_two_wait_and_answers_by_the_fate_of_the_first) {
  PostgresClient first;
  PostgresClient second;
  first.ask("BEGIN");
  EXPECT_EQ(first.ask(admit("op-1")), "admitted");
  second.ask("BEGIN");
  second.send(admit("op-1"));
  ASSERT_TRUE(waits(second));
  first.ask("ROLLBACK");
  EXPECT_EQ(second.answer(), "admitted");

  first.send(admit("op-1"));
  ASSERT_TRUE(waits(first));
  second.ask("COMMIT");
  EXPECT_EQ(first.answer(), "already_applied");
}

TEST_F(PostgresAdmit, records_nothing_of_a_stale_fence_even_where_the_caller_commits) {
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 7, 'ann'")), "admitted");
  const std::string before = recorded();
  client().ask("BEGIN");
  EXPECT_EQ(client().ask(admit("op-2", sell_tea, ", 'tea', 6, 'bob'")), "stale_fence");
  EXPECT_EQ(client().ask(keep_result("op-2", "sold")), "error 55000");
  client().ask("ROLLBACK");
  EXPECT_EQ(client().ask(admit("op-2", sell_tea, ", 'tea', 6, 'bob'")), "stale_fence");
  EXPECT_EQ(recorded(), before);
  EXPECT_EQ(client().ask(admit("op-2", sell_tea, ", 'tea', 8, 'bob'")), "admitted");
}

TEST_F(PostgresAdmit, lets_the_next_one_in_after_a_stale_fence_that_was_committed) {
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 7, 'ann'")), "admitted");
  PostgresClient stale;
  PostgresClient next;
  stale.ask("BEGIN");
  EXPECT_EQ(stale.ask(admit("op-2", sell_tea, ", 'tea', 6, 'bob'")), "stale_fence");
  next.send(admit("op-2", sell_tea, ", 'tea', 8, 'cid'"));
  ASSERT_TRUE(waits(next));
  stale.ask("COMMIT");
  EXPECT_EQ(next.answer(), "admitted");
}

TEST_F(PostgresAdmit, lets_an_equal_token_pass_for_the_same_stated_owner_only) {
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 7, 'ann'")), "admitted");
  EXPECT_EQ(client().ask(admit("op-2", sell_tea, ", 'tea', 7, 'ann'")), "admitted");
  EXPECT_EQ(client().ask(admit("op-3", sell_tea, ", 'tea', 7, 'bob'")), "stale_fence");
  EXPECT_EQ(client().ask(admit("op-3", sell_tea, ", 'tea', 7")), "stale_fence");
  EXPECT_EQ(client().ask(admit("op-4", sell_tea, ", 'milk', 7")), "admitted");
  EXPECT_EQ(client().ask(admit("op-5", sell_tea, ", 'milk', 7, NULL")), "stale_fence");
}

TEST_F(PostgresAdmit, answers_a_known_id_before_it_looks_at_the_fence) {
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 7")), "admitted");
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 6")), "already_applied");
  EXPECT_EQ(client().ask(admit("op-1", sell_coffee, ", 'tea', 6")), "operation_mismatch");
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 9")), "already_applied");
  EXPECT_EQ(client().ask(admit("op-2", sell_tea, ", 'tea', 8")), "admitted")
      << "a repeat remembers no token";
}

TEST_F(PostgresAdmit, shares_the_fence_marks_with_the_cpp_guard) {
  const auto admitted_in_cpp = [this](std::string_view id, std::int64_t token) {
    auto transaction = must(store().guards()->begin(soon()));
    const std::vector<Fence> fences = {fence("tea", token)};
    const auto admission = must(transaction->admit(OperationId(id), Fingerprint{}, fences));
    if (!std::holds_alternative<Admitted>(admission)) return false;
    must(transaction->commit());
    return true;
  };
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, ", 'tea', 7")), "admitted");
  EXPECT_FALSE(admitted_in_cpp("op-2", 6));
  EXPECT_TRUE(admitted_in_cpp("op-2", 9));
  EXPECT_EQ(client().ask(admit("op-3", sell_tea, ", 'tea', 8")), "stale_fence");
}

TEST_F(PostgresAdmit, keeps_a_result_only_in_the_transaction_that_was_admitted) {
  EXPECT_EQ(sell(client(), "op-1"), "admitted");
  EXPECT_EQ(client().ask(keep_result("op-1", "forged")), "error 55000");
  EXPECT_EQ(client().ask(keep_result("op-unknown", "forged")), "error 55000");
  EXPECT_EQ(client().ask(result_of("op-1")), "sold");

  client().ask("BEGIN");
  client().ask("SAVEPOINT here");
  EXPECT_EQ(client().ask(admit("op-2")), "admitted");
  client().ask("RELEASE here");
  EXPECT_EQ(client().ask(keep_result("op-2", "ein Stück")), "") << "a savepoint is no other one";
  client().ask("COMMIT");
  EXPECT_EQ(client().ask(result_of("op-2")), "ein Stück");
}

TEST_F(PostgresAdmit, refuses_malformed_arguments) {
  const std::string longest(64, 'x');
  EXPECT_EQ(client().ask(admit(longest)), "admitted");
  const std::string before = recorded();
  for (const std::string& id :
       {std::string(), longest + "x", std::string("a b"), std::string("é"), std::string("a\nb")}) {
    EXPECT_EQ(client().ask(admit(id)), "error 22023") << id;
  }
  for (const char* fingerprint : {"NULL", "''", "'\\x0011'", "decode(repeat('00', 17), 'hex')"}) {
    EXPECT_EQ(client().ask(admit("op-1", fingerprint)), "error 22023") << fingerprint;
  }
  for (const char* fence : {", 'tea'",
                            ", NULL, 7",
                            ", '', 7",
                            ", 'tea', -1",
                            ", 'a b', 7",
                            ", repeat('x', 129), 7",
                            ", 'tea', 7, 'a b'",
                            ", 'tea', 7, repeat('x', 65)"}) {
    EXPECT_EQ(client().ask(admit("op-1", sell_tea, fence)), "error 22023") << fence;
  }
  EXPECT_EQ(recorded(), before);
  client().ask("BEGIN");
  EXPECT_EQ(client().ask(admit("op-1")), "admitted");
  EXPECT_EQ(client().ask("SELECT " + schema() + ".keep_result('op-1', repeat('x', 65537))"),
            "error 22023");
}

/// The right to call is not the right to stop a wallet: its mark would be above every later token.
TEST_F(PostgresAdmit, refuses_the_names_of_the_ledgers_own_locks) {
  const auto fence_on = [](std::string_view resource) {
    return ", '" + std::string(resource) + "', 9223372036854775807";
  };
  const std::string before = recorded();
  const Resource own = ledger_resource("wallet", "alice");
  for (const std::string_view name : {own.view(), std::string_view("mizan:")}) {
    EXPECT_EQ(client().ask(admit("op-1", sell_tea, fence_on(name))), "error 22023") << name;
  }
  EXPECT_EQ(recorded(), before);
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, fence_on("wallet/alice"))), "admitted");
  EXPECT_EQ(client().ask(admit("op-1", sell_tea, fence_on(own.view()))), "error 22023")
      << "a repeat states it neither";
  for (const char* name : {"mizan", "Mizan:wallet/alice"}) {
    const std::string id = "op-" + std::string(name, 5);
    EXPECT_EQ(client().ask(admit(id, sell_tea, fence_on(name))), "admitted") << name;
  }
}

TEST_F(PostgresAdmit, compares_ids_alike_whatever_collation_they_come_with) {
  const std::string call = "SELECT " + schema() + ".admit('op-1' COLLATE \"POSIX\", ";
  EXPECT_EQ(client().ask(call + std::string(sell_tea) + ", 'tea', 7)"), "admitted");
  EXPECT_EQ(client().ask(call + std::string(sell_tea) + ", 'tea', 7)"), "already_applied");
  EXPECT_EQ(client().ask(admit("OP-1")), "admitted");
}

TEST_F(PostgresAdmit, needs_the_right_to_call_and_none_on_the_tables) {
  const std::string role = "role_" + schema();
  client().ask("CREATE ROLE " + role);
  client().ask("GRANT USAGE ON SCHEMA " + schema() + " TO " + role);
  PostgresClient other;
  other.ask("SET ROLE " + role);
  EXPECT_EQ(other.ask(admit("op-1")), "error 42501");
  for (const char* function : {"admit", "keep_result", "result_of"}) {
    client().ask("GRANT EXECUTE ON FUNCTION " + schema() + "." + function + " TO " + role);
  }
  other.ask("BEGIN");
  EXPECT_EQ(other.ask(admit("op-1", sell_tea, ", 'tea', 7")), "admitted");
  EXPECT_EQ(other.ask(keep_result("op-1", "sold")), "");
  other.ask("COMMIT");
  EXPECT_EQ(other.ask(result_of("op-1")), "sold");
  EXPECT_EQ(other.ask("SELECT count(*) FROM " + schema() + ".admissions"), "error 42501");
}

/// The guide's example for psql as it stands there, but for the names of the schema and the table.
std::string example_of_the_guide(const std::string& schema, const std::string& table) {
  std::ifstream file(MIZAN_SOURCE_DIR "/docs/guides/postgres.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string fence = "```sql\n";
  const std::size_t begin = text.find(fence) + fence.size();
  std::string example = text.substr(begin, text.find("```", begin) - begin);
  for (const auto& [name, put] : {std::pair{std::string("mizan."), schema + "."},
                                  std::pair{std::string("UPDATE stock"), "UPDATE " + table}}) {
    for (std::size_t at = 0; (at = example.find(name, at)) != std::string::npos; at += put.size()) {
      example.replace(at, name.size(), put);
    }
  }
  return example;
}

TEST_F(PostgresAdmit, the_guides_example_sells_once) {
  const std::string example = example_of_the_guide(schema(), stock());
  ASSERT_NE(example.find(schema() + ".admit("), std::string::npos) << example;
  EXPECT_EQ(client().ask(example + "SELECT 'end'"), "soldend");
  EXPECT_EQ(client().ask(example + "SELECT 'end'"), "soldend");
  EXPECT_EQ(stock_left(), "99");
}

}  // namespace
}  // namespace mizan::conformance
