#include "store/mariadb/sql_session.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan::mariadb {
namespace {

TEST(MariadbUserSql, ordinary_statements_are_let_through) {
  for (const char* text : {"SELECT 1",
                           "insert into orders values (?)",
                           "  -- a comment\n UPDATE t SET a = 1",
                           "# another\n REPLACE INTO t VALUES (1)",
                           "/* one */ DELETE FROM t",
                           "WITH x AS (SELECT 1) SELECT * FROM x",
                           "(SELECT 1) UNION (SELECT 2)",
                           "SELECT a FROM amizan_b"}) {
    EXPECT_EQ(reason_to_refuse(text, "mizan_"), "") << text;
  }
}

TEST(MariadbUserSql, what_commits_by_itself_or_bends_the_session_is_refused) {
  for (const char* text : {"BEGIN",
                           "commit",
                           " /* x */ ROLLBACK",
                           ";;COMMIT",
                           "# x\nCOMMIT",
                           "SAVEPOINT a",
                           "START TRANSACTION",
                           "XA START 'x'",
                           "SET autocommit = 1",
                           "USE other",
                           "CALL p()",
                           "CREATE TABLE t (a INT)",
                           "ALTER TABLE t ADD b INT",
                           "TRUNCATE t",
                           "LOCK TABLES t WRITE",
                           "LOAD DATA INFILE 'x' INTO TABLE t",
                           "EXECUTE IMMEDIATE 'COMMIT'",
                           "PREPARE s FROM 'COMMIT'",
                           "KILL 1",
                           "/*!COMMIT*/",
                           "SELECT 1 /*M! INTO OUTFILE 'x' */"}) {
    EXPECT_NE(reason_to_refuse(text, "mizan_"), "") << text;
  }
}

TEST(MariadbUserSql, the_ledgers_tables_are_refused_in_any_case_and_quoting) {
  for (const char* text : {"SELECT * FROM mizan_wallets",
                           "UPDATE `mizan_wallets` SET balance = 0",
                           "select * from db.MIZAN_journal",
                           "SELECT NEXT VALUE FOR mizan_batches"}) {
    EXPECT_NE(reason_to_refuse(text, "mizan_"), "") << text;
  }
  EXPECT_EQ(reason_to_refuse("SELECT * FROM mizan_wallets", "ledger_"), "");
  EXPECT_NE(reason_to_refuse("SELECT * FROM ledger_wallets", "ledger_"), "");
}

TEST(MariadbUserSql, nothing_is_no_statement) {
  EXPECT_NE(reason_to_refuse("", "mizan_"), "");
  EXPECT_NE(reason_to_refuse(" -- only a comment", "mizan_"), "");
  EXPECT_NE(reason_to_refuse(std::string("SELECT 1\0; COMMIT", 17), "mizan_"), "");
}

}  // namespace
}  // namespace mizan::mariadb
