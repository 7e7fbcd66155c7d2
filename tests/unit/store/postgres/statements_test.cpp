#include "mizan/postgres.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "testkit/postgres_server.hpp"
#include "testkit/server.hpp"

#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace mizan::postgres {
namespace {

struct Finish {
  void operator()(PGconn* link) const noexcept { PQfinish(link); }
};

TEST(PostgresStatements, every_statement_is_understood_by_a_server) {
  if (const auto why = testkit::PostgresServer::why_missing()) {
    if (testkit::is_required("postgres")) FAIL() << *why;
    GTEST_SKIP() << *why;
  }
  const auto server = testkit::PostgresServer::start();
  ASSERT_TRUE(server) << server.error().detail;
  PostgresOptions options;
  options.url = (*server)->url();
  const auto store = open_postgres_store(options, system_clock());
  ASSERT_TRUE(store) << store.error().detail;
  ASSERT_TRUE((*store)->migrate());
  const std::unique_ptr<PGconn, Finish> link(PQconnectdb(options.url.c_str()));
  for (const auto& [name, text] : postgres_sql::all_statements) {
    PGresult* result =
        PQprepare(link.get(), std::string(name).c_str(), std::string(text).c_str(), 0, nullptr);
    EXPECT_EQ(PQresultStatus(result), PGRES_COMMAND_OK)
        << name << ": " << PQerrorMessage(link.get());
    PQclear(result);
  }
}

TEST(PostgresStatements, every_statement_is_used) {
  std::string code;
  const std::filesystem::path folder =
      std::filesystem::path(MIZAN_SOURCE_DIR) / "src" / "store" / "postgres";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream stream(file.path());
    code.append(std::istreambuf_iterator<char>(stream), {});
  }
  for (const auto& [name, text] : postgres_sql::all_statements) {
    const std::string use = "postgres_sql::" + std::string(name);
    std::size_t at = code.find(use);
    const auto goes_on = [&] {
      const char next = at + use.size() < code.size() ? code[at + use.size()] : ' ';
      return (next >= 'a' && next <= 'z') || next == '_';
    };
    while (at != std::string::npos && goes_on()) at = code.find(use, at + 1);
    EXPECT_NE(at, std::string::npos) << name << ".sql is never run";
  }
}

TEST(PostgresStatements, every_one_says_what_it_takes_and_gives) {
  for (const auto& [name, text] : postgres_sql::all_statements) {
    for (const char* part : {"-- ", "Parameters", "Rows:", "Locks:"}) {
      EXPECT_NE(text.find(part), std::string_view::npos) << name << ".sql lacks " << part;
    }
  }
}

}  // namespace
}  // namespace mizan::postgres
