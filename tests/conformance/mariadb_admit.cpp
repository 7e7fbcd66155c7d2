// The guard's SQL side: plain SQL clients, side by side with each other and with the C++ guard.

#include "mizan/guard.hpp"

#include "base/ledger_resource.hpp"
#include "testkit/eventually.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/mariadb_client.hpp"
#include "tests/conformance/mariadb_place.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::conformance {
namespace {

/// The first 16 bytes of BLAKE2b-256 of "sell tea" and "sell coffee", by Python's hashlib.
constexpr std::string_view sell_tea = "X'e846017210738ba3955dd584f318712a'";
constexpr std::string_view sell_coffee = "X'1206cc45605cde8a4b26369a8b925122'";

/// Resource, token and owner.
constexpr std::string_view no_fence = "NULL, NULL, NULL";

/// What a session that lost a race is told: the whole transaction again.
constexpr std::string_view deadlock = "error 40001";

class MariadbAdmit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"mariadb", MariadbServer::why_missing})) return;
    store_ = must(open_mariadb(directory_.path(), system_clock()));
    static_cast<void>(must(store_->migrate()));
    must(server().execute("CREATE TABLE " + stock() + " (count INT); INSERT INTO " + stock() +
                          " VALUES (100)"));
  }

  static MariadbServer& server() { return *must(MariadbServer::shared()); }

  [[nodiscard]] std::string prefix() const { return prefix_of(directory_.path()); }

  /// A table of the user's.
  [[nodiscard]] std::string stock() const { return "stock_" + prefix(); }

  [[nodiscard]] std::string sell_one() const {
    return "UPDATE " + stock() + " SET count = count - 1";
  }

  [[nodiscard]] std::string admit(std::string_view id,
                                  std::string_view fingerprint = sell_tea,
                                  std::string_view fence = no_fence) const {
    return "CALL " + prefix() + "admit('" + std::string(id) + "', " + std::string(fingerprint) +
           ", " + std::string(fence) + ", @answer); SELECT @answer";
  }

  /// In a transaction of its own, which is committed.
  std::string admit_alone(std::string_view id,
                          std::string_view fingerprint = sell_tea,
                          std::string_view fence = no_fence) {
    return client().ask("BEGIN; " + admit(id, fingerprint, fence) + "; COMMIT");
  }

  [[nodiscard]] std::string keep_result(std::string_view id, std::string_view result) const {
    return "CALL " + prefix() + "keep_result('" + std::string(id) + "', '" + std::string(result) +
           "')";
  }

  [[nodiscard]] std::string result_of(std::string_view id) const {
    return "CALL " + prefix() + "result_of('" + std::string(id) + "', @result); SELECT @result";
  }

  /// Everything that the guard has recorded.
  [[nodiscard]] std::string recorded() {
    return client().ask("SELECT id, HEX(fingerprint), result FROM " + prefix() +
                        "admissions ORDER BY id; SELECT * FROM " + prefix() +
                        "fences ORDER BY resource");
  }

  [[nodiscard]] std::string stock_left() { return client().ask("SELECT count FROM " + stock()); }

  /// As a caller does it: admit, work, keep the result, commit; else roll back, and again where the
  /// server says so.
  std::string sell(MariadbClient& client, std::string_view id) {
    for (;;) {
      client.ask("BEGIN");
      std::string answer = client.ask(admit(id));
      if (answer == "admitted") {
        const std::string done = client.ask(sell_one() + "; " + keep_result(id, "sold"));
        if (done.empty()) return client.ask("COMMIT").empty() ? answer : "not committed";
        answer = done;
      }
      client.ask("ROLLBACK");
      if (answer != deadlock) return answer;
    }
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
  [[nodiscard]] bool waits(const MariadbClient& other) {
    return eventually([&] { return root().is_waiting(other); });
  }

  /// For looking on.
  MariadbClient& client() {
    if (!client_) client_ = std::make_unique<MariadbClient>();
    return *client_;
  }

  MariadbClient& root() {
    if (!root_) root_ = std::make_unique<MariadbClient>("root");
    return *root_;
  }

  [[nodiscard]] Store& store() { return *store_; }

 private:
  TempDir directory_{"mizan-admit"};
  std::unique_ptr<Store> store_;
  std::unique_ptr<MariadbClient> client_;
  std::unique_ptr<MariadbClient> root_;
};

TEST_F(MariadbAdmit, says_what_became_of_an_id) {
  EXPECT_EQ(client().ask(result_of("op-1")), "NULL");
  EXPECT_EQ(sell(client(), "op-1"), "admitted");
  EXPECT_EQ(sell(client(), "op-1"), "already_applied");
  EXPECT_EQ(admit_alone("op-1", sell_coffee), "operation_mismatch");
  EXPECT_EQ(client().ask(result_of("op-1")), "sold");
  EXPECT_EQ(stock_left(), "99");
}

TEST_F(MariadbAdmit, admits_one_of_sixteen_clients_that_ask_at_once) {
  constexpr int rounds = 8;
  std::atomic<int> admitted = 0;
  std::atomic<int> repeated = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&] {
        MariadbClient client;
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

TEST_F(MariadbAdmit, admits_each_token_to_one_of_several_owners_that_ask_at_once) {
  constexpr int tokens = 12;
  std::atomic<int> admitted = 0;
  std::atomic<int> stale = 0;
  std::atomic<int> others = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        MariadbClient client;
        const std::string owner = "owner-" + std::to_string(t);
        for (int token = 1; token <= tokens;) {
          const std::string id = "op-" + std::to_string(token) + "-" + owner;
          const std::string fence = "'tea', " + std::to_string(token) + ", '" + owner + "'";
          client.ask("BEGIN");
          const std::string answer = client.ask(admit(id, sell_tea, fence));
          client.ask(answer == "admitted" ? "COMMIT" : "ROLLBACK");
          if (answer == deadlock) continue;
          ++(answer == "admitted" ? admitted : answer == "stale_fence" ? stale : others);
          ++token;
        }
      });
    }
  }
  EXPECT_EQ(others, 0);
  EXPECT_EQ(admitted + stale, 8 * tokens);
  EXPECT_LE(admitted, tokens) << "an equal token of another owner was let in";
  EXPECT_EQ(client().ask("SELECT COUNT(*) FROM " + prefix() + "admissions"),
            std::to_string(admitted));
  EXPECT_EQ(client().ask("SELECT token FROM " + prefix() + "fences"), std::to_string(tokens));
}

TEST_F(MariadbAdmit, admits_once_between_plain_clients_and_the_cpp_guard) {
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
        MariadbClient client;
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

TEST_F(MariadbAdmit, replays_to_the_cpp_guard_what_a_plain_client_kept_and_back) {
  EXPECT_EQ(sell(client(), "op-sql"), "admitted");
  EXPECT_EQ(sell_with_guard("op-sql"), "already_applied");
  EXPECT_EQ(must(store().guards()->find(OperationId("op-sql"))).value().result, "sold");
  EXPECT_EQ(sell_with_guard("op-cpp"), "admitted");
  EXPECT_EQ(sell(client(), "op-cpp"), "already_applied");
  EXPECT_EQ(client().ask(result_of("op-cpp")), "sold");
  EXPECT_EQ(admit_alone("op-cpp", sell_coffee), "operation_mismatch");
}

TEST_F(MariadbAdmit, makes_the_second_of_two_wait_and_answers_by_the_fate_of_the_first) {
  MariadbClient first;
  MariadbClient second;
  // A snapshot that is older than what the other commits must not hide it.
  for (MariadbClient* each : {&first, &second}) {
    each->ask("BEGIN; SELECT COUNT(*) FROM " + stock());
  }
  EXPECT_EQ(first.ask(admit("op-1")), "admitted");
  second.send(admit("op-1"));
  ASSERT_TRUE(waits(second));
  first.ask("ROLLBACK");
  EXPECT_EQ(second.answer(), "admitted");

  first.ask("BEGIN");
  first.ask("SELECT COUNT(*) FROM " + stock());
  first.send(admit("op-1"));
  ASSERT_TRUE(waits(first));
  second.ask("COMMIT");
  EXPECT_EQ(first.answer(), "already_applied");
  EXPECT_EQ(first.ask(result_of("op-1")), "");
}

TEST_F(MariadbAdmit, records_nothing_of_a_stale_fence_even_where_the_caller_commits) {
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 7, 'ann'"), "admitted");
  const std::string before = recorded();
  client().ask("BEGIN");
  EXPECT_EQ(client().ask(admit("op-2", sell_tea, "'tea', 6, 'bob'")), "stale_fence");
  EXPECT_EQ(client().ask(keep_result("op-2", "sold")), "error 55000");
  client().ask("COMMIT");
  EXPECT_EQ(recorded(), before);
  EXPECT_EQ(admit_alone("op-2", sell_tea, "'tea', 8, 'bob'"), "admitted");
}

/// The server counts rows that became different, and an equal token of the same owner is none.
TEST_F(MariadbAdmit, lets_an_equal_token_pass_for_the_same_stated_owner_only) {
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 7, 'ann'"), "admitted");
  EXPECT_EQ(admit_alone("op-2", sell_tea, "'tea', 7, 'ann'"), "admitted");
  EXPECT_EQ(admit_alone("op-3", sell_tea, "'tea', 7, 'bob'"), "stale_fence");
  EXPECT_EQ(admit_alone("op-3", sell_tea, "'tea', 7, 'Ann'"), "stale_fence");
  EXPECT_EQ(admit_alone("op-3", sell_tea, "'tea', 7, NULL"), "stale_fence");
  EXPECT_EQ(admit_alone("op-4", sell_tea, "'milk', 7, ''"), "admitted");
  EXPECT_EQ(admit_alone("op-5", sell_tea, "'milk', 7, NULL"), "stale_fence");
}

TEST_F(MariadbAdmit, answers_a_known_id_before_it_looks_at_the_fence) {
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 7, ''"), "admitted");
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 6, ''"), "already_applied");
  EXPECT_EQ(admit_alone("op-1", sell_coffee, "'tea', 6, ''"), "operation_mismatch");
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 9, ''"), "already_applied");
  EXPECT_EQ(admit_alone("op-2", sell_tea, "'tea', 8, ''"), "admitted")
      << "a repeat remembers no token";
}

TEST_F(MariadbAdmit, shares_the_fence_marks_with_the_cpp_guard) {
  const auto admitted_in_cpp = [this](std::string_view id, std::int64_t token) {
    auto transaction = must(store().guards()->begin(soon()));
    const std::vector<Fence> fences = {fence("tea", token)};
    const auto admission = must(transaction->admit(OperationId(id), Fingerprint{}, fences));
    if (!std::holds_alternative<Admitted>(admission)) return false;
    must(transaction->commit());
    return true;
  };
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 7, ''"), "admitted");
  EXPECT_FALSE(admitted_in_cpp("op-2", 6));
  EXPECT_TRUE(admitted_in_cpp("op-2", 9));
  EXPECT_EQ(admit_alone("op-3", sell_tea, "'tea', 8, ''"), "stale_fence");
}

TEST_F(MariadbAdmit, keeps_a_result_only_in_the_transaction_that_was_admitted) {
  EXPECT_EQ(sell(client(), "op-1"), "admitted");
  EXPECT_EQ(client().ask(keep_result("op-1", "forged")), "error 55000");
  client().ask("BEGIN");
  EXPECT_EQ(client().ask(keep_result("op-1", "forged")), "error 55000");
  EXPECT_EQ(client().ask(admit("op-2")), "admitted");
  EXPECT_EQ(client().ask(keep_result("op-1", "forged")), "error 55000");
  EXPECT_EQ(client().ask(keep_result("op", "forged")), "error 55000");
  EXPECT_EQ(client().ask(admit("op-3")), "admitted");
  EXPECT_EQ(client().ask(keep_result("op-2", "ein Stück")), "");
  EXPECT_EQ(client().ask(keep_result("op-3", "")), "");
  client().ask("COMMIT");
  EXPECT_EQ(client().ask(result_of("op-1")), "sold");
  EXPECT_EQ(client().ask(result_of("op-2")), "ein Stück");
  EXPECT_EQ(client().ask(result_of("op-3")), "");
}

TEST_F(MariadbAdmit, refuses_to_commit_by_itself) {
  EXPECT_EQ(client().ask(admit("op-1")), "error 25000");
  EXPECT_EQ(client().ask("SET autocommit = 0; " + admit("op-1") + "; ROLLBACK"), "admitted");
  EXPECT_EQ(client().ask("SELECT COUNT(*) FROM " + prefix() + "admissions"), "0");
}

TEST_F(MariadbAdmit, refuses_malformed_arguments) {
  const std::string longest(64, 'x');
  EXPECT_EQ(admit_alone(longest), "admitted");
  const std::string before = recorded();
  for (const std::string& id :
       {std::string(), longest + "x", std::string("a b"), std::string("é"), std::string("a\nb")}) {
    EXPECT_EQ(admit_alone(id), "error 22023") << id;
  }
  for (const char* fingerprint : {"NULL", "''", "X'0011'", "REPEAT('0', 17)"}) {
    EXPECT_EQ(admit_alone("op-1", fingerprint), "error 22023") << fingerprint;
  }
  for (const char* fence : {"'tea', NULL, NULL",
                            "NULL, 7, NULL",
                            "'', 7, NULL",
                            "'tea', -1, NULL",
                            "'a b', 7, NULL",
                            "REPEAT('x', 129), 7, NULL",
                            "'tea', 7, 'a b'",
                            "'tea', 7, REPEAT('x', 65)"}) {
    EXPECT_EQ(admit_alone("op-1", sell_tea, fence), "error 22023") << fence;
  }
  EXPECT_EQ(recorded(), before);
  client().ask("BEGIN");
  EXPECT_EQ(client().ask(admit("op-1")), "admitted");
  for (const char* result : {"NULL", "REPEAT('x', 65537)"}) {
    EXPECT_EQ(client().ask("CALL " + prefix() + "keep_result('op-1', " + std::string(result) + ")"),
              "error 22023");
  }
}

/// The right to call is not the right to stop a wallet: its mark would be above every later token.
TEST_F(MariadbAdmit, refuses_the_names_of_the_ledgers_own_locks) {
  const auto fence_on = [](std::string_view resource) {
    return "'" + std::string(resource) + "', 9223372036854775807, NULL";
  };
  const std::string before = recorded();
  const Resource own = ledger_resource("wallet", "alice");
  for (const std::string_view name : {own.view(), std::string_view("mizan:")}) {
    EXPECT_EQ(admit_alone("op-1", sell_tea, fence_on(name)), "error 22023") << name;
  }
  EXPECT_EQ(recorded(), before);
  EXPECT_EQ(admit_alone("op-1", sell_tea, fence_on("wallet/alice")), "admitted");
  EXPECT_EQ(admit_alone("op-1", sell_tea, fence_on(own.view())), "error 22023")
      << "a repeat states it neither";
  for (const char* name : {"mizan", "Mizan:wallet/alice"}) {
    const std::string id = "op-" + std::string(name, 5);
    EXPECT_EQ(admit_alone(id, sell_tea, fence_on(name)), "admitted") << name;
  }
}

TEST_F(MariadbAdmit, compares_ids_byte_for_byte_whatever_the_session_compares) {
  client().ask("SET NAMES utf8mb4 COLLATE utf8mb4_general_ci");
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 7, 'ann'"), "admitted");
  EXPECT_EQ(admit_alone("OP-1", sell_tea, "'TEA', 6, 'ann'"), "admitted");
  EXPECT_EQ(admit_alone("op-1", sell_tea, "'tea', 7, 'ann'"), "already_applied");
}

TEST_F(MariadbAdmit, needs_the_right_to_call_and_none_on_the_tables) {
  const std::string user = "u" + prefix().substr(1, 15);
  must(server().execute("CREATE USER " + user + "@localhost; GRANT SELECT ON mizan." + stock() +
                        " TO " + user + "@localhost"));
  {
    MariadbClient other(user);
    EXPECT_EQ(other.ask("BEGIN; " + admit("op-1")), "error 42000");
  }
  for (const char* procedure : {"admit", "keep_result", "result_of"}) {
    must(server().execute("GRANT EXECUTE ON PROCEDURE mizan." + prefix() + procedure + " TO " +
                          user + "@localhost"));
  }
  MariadbClient other(user);
  other.ask("BEGIN");
  EXPECT_EQ(other.ask(admit("op-1", sell_tea, "'tea', 7, ''")), "admitted");
  EXPECT_EQ(other.ask(keep_result("op-1", "sold")), "");
  other.ask("COMMIT");
  EXPECT_EQ(other.ask(result_of("op-1")), "sold");
  EXPECT_EQ(other.ask("SELECT COUNT(*) FROM " + prefix() + "admissions"), "error 42000");
}

/// The guide's example for the client as it stands there, but for the names of the tables.
std::string example_of_the_guide(const std::string& prefix, const std::string& table) {
  std::ifstream file(MIZAN_SOURCE_DIR "/docs/guides/mariadb.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string fence = "```sql\n";
  const std::size_t begin = text.find(fence) + fence.size();
  std::string example = text.substr(begin, text.find("```", begin) - begin);
  for (const auto& [name, put] : {std::pair{std::string("mizan_"), prefix},
                                  std::pair{std::string("UPDATE stock"), "UPDATE " + table}}) {
    for (std::size_t at = 0; (at = example.find(name, at)) != std::string::npos; at += put.size()) {
      example.replace(at, name.size(), put);
    }
  }
  return example;
}

TEST_F(MariadbAdmit, the_guides_example_sells_once) {
  const std::string example = example_of_the_guide(prefix(), stock());
  ASSERT_NE(example.find(prefix() + "admit("), std::string::npos) << example;
  EXPECT_EQ(client().ask(example + "SELECT 'end'"), "admitted\tsoldend");
  EXPECT_EQ(client().ask(example + "SELECT 'end'"), "already_applied\tsoldend");
  EXPECT_EQ(stock_left(), "99");
}

}  // namespace
}  // namespace mizan::conformance
