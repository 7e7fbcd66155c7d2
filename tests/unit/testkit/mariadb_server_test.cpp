#include "testkit/mariadb_server.hpp"

#include <gtest/gtest.h>

namespace mizan::testkit {
namespace {

TEST(MariadbServer, runs_statements_durably_and_as_its_root) {
  if (const auto why = MariadbServer::why_missing()) {
    if (is_required("mariadb")) FAIL() << *why;
    GTEST_SKIP() << *why;
  }
  auto server = MariadbServer::start();
  ASSERT_TRUE(server) << server.error().detail;
  EXPECT_TRUE((*server)->execute("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)"));
  const Status wrong = (*server)->execute("INSERT INTO nothing VALUES (1)");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().detail.find("nothing"), std::string::npos) << wrong.error().detail;
  EXPECT_TRUE(
      (*server)->execute("CREATE TABLE durable (a INT CHECK (a = 1)); INSERT INTO durable "
                         "SELECT @@innodb_flush_log_at_trx_commit"));
}

}  // namespace
}  // namespace mizan::testkit
