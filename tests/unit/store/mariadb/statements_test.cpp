#include "mizan/mariadb.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "testkit/mariadb_server.hpp"
#include "testkit/server.hpp"

#include <gtest/gtest.h>
#include <mysql.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::mariadb {
namespace {

struct Close {
  void operator()(MYSQL* link) const noexcept { mysql_close(link); }
};

TEST(MariadbStatements, every_statement_is_understood_by_a_server) {
  if (const auto why = testkit::MariadbServer::why_missing()) {
    if (testkit::is_required("mariadb")) FAIL() << *why;
    GTEST_SKIP() << *why;
  }
  const auto server = testkit::MariadbServer::start();
  ASSERT_TRUE(server) << server.error().detail;
  const auto options = parse_mariadb_url((*server)->url());
  ASSERT_TRUE(options) << options.error().detail;
  const auto store = open_mariadb_store(*options, system_clock());
  ASSERT_TRUE(store) << store.error().detail;
  ASSERT_TRUE((*store)->migrate());
  const std::unique_ptr<MYSQL, Close> link(mysql_init(nullptr));
  ASSERT_NE(
      mysql_real_connect(link.get(), nullptr, "mizan", "", "mizan", 0, options->socket.c_str(), 0),
      nullptr);
  // Only a cluster has this table.
  ASSERT_EQ(mysql_query(link.get(), std::string(mariadb_sql::create_turns).c_str()), 0);
  // These two cannot be prepared.
  const std::vector<std::string_view> as_text = {"begin_node", "commit_node"};
  EXPECT_EQ(mysql_query(link.get(), std::string(mariadb_sql::begin_node).c_str()), 0);
  EXPECT_EQ(mysql_query(link.get(), std::string(mariadb_sql::commit_node).c_str()), 0)
      << mysql_error(link.get());
  EXPECT_NE(mysql_query(link.get(), std::string(mariadb_sql::commit_node).c_str()), 0);
  EXPECT_EQ(mysql_errno(link.get()), 1305U) << "nothing began";
  const std::vector<std::string_view> with_literals = {"raise_batches", "set_limits"};
  for (const auto& [name, text] : mariadb_sql::all_statements) {
    if (std::find(as_text.begin(), as_text.end(), name) != as_text.end()) continue;
    std::string statement(text);
    statement.erase(statement.find_last_of(';'));
    if (std::find(with_literals.begin(), with_literals.end(), name) != with_literals.end()) {
      std::replace(statement.begin(), statement.end(), '?', '1');
    }
    MYSQL_STMT* prepared = mysql_stmt_init(link.get());
    EXPECT_EQ(mysql_stmt_prepare(prepared, statement.data(), statement.size()), 0)
        << name << ": " << mysql_stmt_error(prepared);
    mysql_stmt_close(prepared);
  }
}

TEST(MariadbStatements, every_statement_is_used) {
  std::string code;
  const std::filesystem::path folder =
      std::filesystem::path(MIZAN_SOURCE_DIR) / "src" / "store" / "mariadb";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream stream(file.path());
    code.append(std::istreambuf_iterator<char>(stream), {});
  }
  for (const auto& [name, text] : mariadb_sql::all_statements) {
    const std::string use = "mariadb_sql::" + std::string(name);
    std::size_t at = code.find(use);
    const auto goes_on = [&] {
      const char next = at + use.size() < code.size() ? code[at + use.size()] : ' ';
      return (next >= 'a' && next <= 'z') || next == '_';
    };
    while (at != std::string::npos && goes_on()) at = code.find(use, at + 1);
    EXPECT_NE(at, std::string::npos) << name << ".sql is never run";
  }
}

TEST(MariadbStatements, every_one_says_what_it_takes_and_gives) {
  for (const auto& [name, text] : mariadb_sql::all_statements) {
    for (const char* part : {"-- ", "Parameters", "Rows:", "Locks:"}) {
      EXPECT_NE(text.find(part), std::string_view::npos) << name << ".sql lacks " << part;
    }
  }
}

}  // namespace
}  // namespace mizan::mariadb
