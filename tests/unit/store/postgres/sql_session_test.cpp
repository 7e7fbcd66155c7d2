#include "store/postgres/sql_session.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan::postgres {
namespace {

TEST(PostgresUserSql, ordinary_statements_are_let_through) {
  for (const char* text : {"SELECT 1",
                           "insert into orders values ($1)",
                           "  -- a comment\n UPDATE t SET a = 1",
                           "/* one /* nested */ */ DELETE FROM t",
                           "WITH x AS (SELECT 1) SELECT * FROM x",
                           "LOCK TABLE orders",
                           "CREATE TABLE mizanthrope (a integer)",
                           "SELECT amizan.b FROM amizan"}) {
    EXPECT_EQ(reason_to_refuse(text, "mizan"), "") << text;
  }
}

TEST(PostgresUserSql, control_of_the_transaction_and_the_session_is_refused) {
  for (const char* text : {"BEGIN",
                           "commit",
                           " /* x */ ROLLBACK",
                           "-- x\nEnd",
                           ";;COMMIT",
                           "SAVEPOINT a",
                           "RELEASE a",
                           "START TRANSACTION",
                           "ABORT",
                           "PREPARE TRANSACTION 'x'",
                           "SET search_path = mizan",
                           "SET LOCAL statement_timeout = 0",
                           "RESET ALL",
                           "DISCARD ALL",
                           "LISTEN a",
                           "COPY t TO STDOUT",
                           "EXECUTE commit"}) {
    EXPECT_NE(reason_to_refuse(text, "mizan"), "") << text;
  }
}

TEST(PostgresUserSql, the_ledgers_schema_is_refused_in_any_case_and_quoting) {
  for (const char* text : {"SELECT * FROM mizan.wallets",
                           "UPDATE \"mizan\".wallets SET balance = 0",
                           "select * from MIZAN . journal",
                           "SELECT 'mizan'::regnamespace"}) {
    EXPECT_NE(reason_to_refuse(text, "mizan"), "") << text;
  }
  EXPECT_EQ(reason_to_refuse("SELECT * FROM mizan.wallets", "ledger"), "");
  EXPECT_NE(reason_to_refuse("SELECT * FROM ledger.wallets", "ledger"), "");
}

TEST(PostgresUserSql, nothing_is_no_statement) {
  EXPECT_NE(reason_to_refuse("", "mizan"), "");
  EXPECT_NE(reason_to_refuse(" -- only a comment", "mizan"), "");
  EXPECT_NE(reason_to_refuse(std::string("SELECT 1\0; COMMIT", 17), "mizan"), "");
}

}  // namespace
}  // namespace mizan::postgres
