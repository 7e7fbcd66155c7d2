#include "store/sqlite/error_map.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <ostream>
#include <string>
#include <string_view>

namespace mizan::sqlite {
namespace {

struct Case {
  std::string_view name;
  int code = 0;
  Code meaning = Code::internal;
  Retry retry = Retry::never;
  std::string_view advice;  ///< A part of the text that says what to do.
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class ErrorMap : public ::testing::TestWithParam<Case> {};

TEST_P(ErrorMap, says_what_it_means_and_what_to_do) {
  const Case& expected = GetParam();
  const Error error = map_error(expected.code, "write", "native text");
  EXPECT_EQ(error.code, expected.meaning) << to_string(error.code);
  EXPECT_EQ(error.retry, expected.retry);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
  EXPECT_EQ(error.where, "sqlite: write");
  EXPECT_NE(error.detail.find(expected.advice), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("native text"), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find(std::to_string(expected.code)), std::string::npos) << error.detail;
}

constexpr Code down = Code::unavailable;
constexpr Code wrong = Code::invalid_request;
constexpr Retry later = Retry::after_backoff;

constexpr Case cases[] = {
    {"busy", SQLITE_BUSY, Code::contended, later, "another program"},
    {"busy_recovery", SQLITE_BUSY_RECOVERY, Code::contended, later, "another program"},
    {"busy_timeout", SQLITE_BUSY_TIMEOUT, Code::contended, later, "another program"},
    {"busy_snapshot", SQLITE_BUSY_SNAPSHOT, Code::contended, Retry::now, "run again"},
    {"locked", SQLITE_LOCKED, Code::contended, later, "another program"},
    {"locked_sharedcache", SQLITE_LOCKED_SHAREDCACHE, Code::contended, later, "another program"},
    {"schema", SQLITE_SCHEMA, Code::contended, Retry::now, "schema changed"},
    {"full", SQLITE_FULL, down, later, "disk is full"},
    {"ioerr", SQLITE_IOERR, down, later, "disk or the file system"},
    {"ioerr_fsync", SQLITE_IOERR_FSYNC, down, later, "disk or the file system"},
    {"ioerr_write", SQLITE_IOERR_WRITE, down, later, "disk or the file system"},
    {"ioerr_shmsize", SQLITE_IOERR_SHMSIZE, down, later, "is the disk full?"},
    {"ioerr_nomem", SQLITE_IOERR_NOMEM, down, later, "out of memory"},
    {"ioerr_corruptfs", SQLITE_IOERR_CORRUPTFS, Code::internal, Retry::never, "restore"},
    {"cantopen", SQLITE_CANTOPEN, down, later, "path"},
    {"cantopen_isdir", SQLITE_CANTOPEN_ISDIR, wrong, Retry::never, "folder"},
    {"readonly", SQLITE_READONLY, wrong, Retry::never, "permissions"},
    {"readonly_cantinit", SQLITE_READONLY_CANTINIT, down, later, "index"},
    {"readonly_dbmoved", SQLITE_READONLY_DBMOVED, down, later, "moved"},
    {"readonly_directory", SQLITE_READONLY_DIRECTORY, wrong, Retry::never, "folder of your own"},
    {"perm", SQLITE_PERM, wrong, Retry::never, "permissions"},
    {"notadb", SQLITE_NOTADB, wrong, Retry::never, "not an SQLite database"},
    {"corrupt", SQLITE_CORRUPT, Code::internal, Retry::never, "backup"},
    {"corrupt_index", SQLITE_CORRUPT_INDEX, Code::internal, Retry::never, "backup"},
    {"protocol", SQLITE_PROTOCOL, down, Retry::never, "local disk"},
    {"nolfs", SQLITE_NOLFS, down, Retry::never, "local disk"},
    {"nomem", SQLITE_NOMEM, down, later, "out of memory"},
    {"interrupt", SQLITE_INTERRUPT, down, later, "stopped"},
    {"abort_rollback", SQLITE_ABORT_ROLLBACK, down, later, "stopped"},
    {"check", SQLITE_CONSTRAINT_CHECK, Code::internal, Retry::never, "invariant alarm"},
    {"notnull", SQLITE_CONSTRAINT_NOTNULL, Code::internal, Retry::never, "invariant alarm"},
    {"foreignkey", SQLITE_CONSTRAINT_FOREIGNKEY, Code::internal, Retry::never, "invariant alarm"},
    {"datatype", SQLITE_CONSTRAINT_DATATYPE, Code::internal, Retry::never, "invariant alarm"},
    {"unique", SQLITE_CONSTRAINT_UNIQUE, Code::internal, Retry::never, "not expected"},
    {"primarykey", SQLITE_CONSTRAINT_PRIMARYKEY, Code::internal, Retry::never, "not expected"},
    {"error", SQLITE_ERROR, Code::internal, Retry::never, ""},
    {"misuse", SQLITE_MISUSE, Code::internal, Retry::never, ""},
    {"mismatch", SQLITE_MISMATCH, Code::internal, Retry::never, ""},
    {"toobig", SQLITE_TOOBIG, Code::internal, Retry::never, ""},
    {"range", SQLITE_RANGE, Code::internal, Retry::never, ""},
    {"internal", SQLITE_INTERNAL, Code::internal, Retry::never, ""},
};

INSTANTIATE_TEST_SUITE_P(codes, ErrorMap, ::testing::ValuesIn(cases), [](const auto& one) {
  return std::string(one.param.name);
});

TEST(CommitErrors, a_commit_that_left_its_transaction_open_was_not_applied) {
  for (const int code : {SQLITE_BUSY, SQLITE_FULL, SQLITE_IOERR_FSYNC}) {
    const Error error = map_commit_error(code, CommitState::open, "native text");
    EXPECT_EQ(error.certainty, Certainty::not_applied);
    EXPECT_NE(error.code, Code::unknown);
  }
}

TEST(CommitErrors, a_commit_that_ended_its_transaction_may_have_reached_the_disk) {
  for (const int code : {SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC}) {
    const Error error = map_commit_error(code, CommitState::ended, "native text");
    EXPECT_EQ(error.certainty, Certainty::unknown);
    EXPECT_EQ(error.code, Code::unknown);
    EXPECT_EQ(error.retry, Retry::after_backoff);
    EXPECT_EQ(error.where, "sqlite: commit");
  }
}

TEST(UserErrors, what_the_author_of_a_statement_got_wrong_is_an_invalid_request) {
  for (const int code : {SQLITE_ERROR,
                         SQLITE_AUTH,
                         SQLITE_CONSTRAINT_UNIQUE,
                         SQLITE_CONSTRAINT_CHECK,
                         SQLITE_MISMATCH,
                         SQLITE_RANGE,
                         SQLITE_TOOBIG}) {
    EXPECT_EQ(map_user_error(code, "native text").code, Code::invalid_request) << code;
  }
  EXPECT_EQ(map_user_error(SQLITE_FULL, "native text").code, Code::unavailable);
  EXPECT_EQ(map_user_error(SQLITE_IOERR_READ, "native text").code, Code::unavailable);
}

TEST(UserErrors, control_characters_of_a_message_do_not_reach_a_log_line) {
  const Error error = map_user_error(SQLITE_ERROR, "no such table: a\nb\x1b[31m");
  EXPECT_EQ(error.detail.find('\n'), std::string::npos);
  EXPECT_EQ(error.detail.find('\x1b'), std::string::npos);
}

TEST(Duplicates, only_a_violated_key_is_one) {
  EXPECT_TRUE(is_duplicate(SQLITE_CONSTRAINT_UNIQUE));
  EXPECT_TRUE(is_duplicate(SQLITE_CONSTRAINT_PRIMARYKEY));
  EXPECT_FALSE(is_duplicate(SQLITE_CONSTRAINT_CHECK));
  EXPECT_FALSE(is_duplicate(SQLITE_CONSTRAINT));
  EXPECT_FALSE(is_duplicate(SQLITE_OK));
}

}  // namespace
}  // namespace mizan::sqlite
