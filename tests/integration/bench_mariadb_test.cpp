#include "cli_program.hpp"
#include "testkit/mariadb_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// `mizan bench` against a MariaDB server that is not its own.

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;
using testkit::MariadbServer;

TEST(BenchMariadb, measures_beside_a_baseline_and_leaves_nothing) {
  const auto server = MariadbServer::shared();
  if (!server) {
    const auto missing = MariadbServer::why_missing();
    if (missing && !testkit::is_required("mariadb")) GTEST_SKIP() << *missing;
    FAIL() << server.error().detail;
  }
  ASSERT_TRUE((*server)->execute("CREATE TABLE IF NOT EXISTS bench_theirs (n INT)"));
  const Program program;
  const Ran ran =
      program.must({"bench", "batch", "callers", "--quick", "--json", "--store", (*server)->url()});
  EXPECT_THAT(ran.out, HasSubstr("\"store\":\"mariadb\""));
  EXPECT_THAT(ran.out, HasSubstr("hand-written MariaDB"));
  // A second row fails the statement.
  EXPECT_TRUE((*server)->execute(
      "CREATE TEMPORARY TABLE tables_left (n INT PRIMARY KEY, name VARCHAR(64)); INSERT INTO "
      "tables_left SELECT 1, table_name FROM information_schema.TABLES WHERE table_schema = "
      "DATABASE() AND table_name LIKE 'bench\\_%'; INSERT INTO tables_left SELECT 1, routine_name "
      "FROM information_schema.ROUTINES WHERE routine_name LIKE 'bench\\_%'"));
}

}  // namespace
}  // namespace mizan::integration
