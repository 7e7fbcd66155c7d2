#include "store/postgres/error_map.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

namespace mizan::postgres {
namespace {

struct Case {
  std::string_view name;
  std::string_view state;
  Code meaning = Code::internal;
  Retry retry = Retry::never;
  std::string_view advice;  ///< A part of the text that says what to do.
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class PostgresErrorMap : public ::testing::TestWithParam<Case> {};

Failure failure_of(std::string_view state, bool is_fatal = false) {
  return {std::string(state), "native text", {}, is_fatal};
}

TEST_P(PostgresErrorMap, says_what_it_means_and_what_to_do) {
  const Case& expected = GetParam();
  const Error error = map_error(failure_of(expected.state), "write");
  EXPECT_EQ(error.code, expected.meaning) << to_string(error.code);
  EXPECT_EQ(error.retry, expected.retry);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
  EXPECT_EQ(error.where, "postgres: write");
  EXPECT_NE(error.detail.find(expected.advice), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("native text"), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find(expected.state), std::string::npos) << error.detail;
}

constexpr Code again = Code::contended;
constexpr Code down = Code::unavailable;
constexpr Code wrong = Code::invalid_request;
constexpr Code bug = Code::internal;
constexpr Retry later = Retry::after_backoff;

constexpr Case cases[] = {
    {"serialization_failure", "40001", again, Retry::now, "run again"},
    {"deadlock_detected", "40P01", again, Retry::now, "deadlock"},
    {"lock_not_available", "55P03", again, Retry::now, "lock"},
    {"query_canceled", "57014", again, Retry::now, "too long"},
    {"statement_completion_unknown", "40003", again, Retry::now, "link"},
    {"invalid_statement_name", "26000", again, Retry::now, "pooler"},
    {"duplicate_prepared_statement", "42P05", again, Retry::now, "pooler"},
    {"feature_not_supported", "0A000", bug, Retry::never, "PostgreSQL"},
    {"unique_violation", "23505", bug, Retry::never, "not expected"},
    {"check_violation", "23514", bug, Retry::never, "invariant alarm"},
    {"not_null_violation", "23502", bug, Retry::never, "invariant alarm"},
    {"foreign_key_violation", "23503", bug, Retry::never, "invariant alarm"},
    {"numeric_value_out_of_range", "22003", bug, Retry::never, "invariant alarm"},
    {"character_not_in_repertoire", "22021", wrong, Retry::never, "UTF-8"},
    {"untranslatable_character", "22P05", wrong, Retry::never, "UTF8"},
    {"read_only_sql_transaction", "25006", down, later, "standby"},
    {"idle_in_transaction_session_timeout", "25P03", down, Retry::now, "idle"},
    {"invalid_authorization", "28000", wrong, Retry::never, "pg_hba"},
    {"invalid_password", "28P01", wrong, Retry::never, "password"},
    {"invalid_catalog_name", "3D000", wrong, Retry::never, "database"},
    {"invalid_schema_name", "3F000", wrong, Retry::never, "mizan init"},
    {"undefined_table", "42P01", wrong, Retry::never, "mizan init"},
    {"insufficient_privilege", "42501", wrong, Retry::never, "privilege"},
    {"disk_full", "53100", down, later, "disk is full"},
    {"out_of_memory", "53200", down, later, "memory"},
    {"too_many_connections", "53300", down, later, "max_connections"},
    {"configuration_limit_exceeded", "53400", down, later, "resource"},
    {"admin_shutdown", "57P01", down, Retry::now, "shutting down"},
    {"crash_shutdown", "57P02", down, later, "crashed"},
    {"cannot_connect_now", "57P03", down, later, "starting"},
    {"idle_session_timeout", "57P05", down, Retry::now, "idle"},
    {"operator_intervention", "57000", down, later, "operator"},
    {"io_error", "58030", down, later, "log"},
    {"connection_failure", "08006", down, later, "link"},
    {"transaction_resolution_unknown", "08007", down, later, "link"},
    {"data_corrupted", "XX001", bug, Retry::never, "restore"},
    {"index_corrupted", "XX002", bug, Retry::never, "restore"},
    {"internal_error", "XX000", bug, Retry::never, ""},
    {"undefined_column", "42703", bug, Retry::never, ""},
    {"in_failed_transaction", "25P02", bug, Retry::never, ""},
};

INSTANTIATE_TEST_SUITE_P(codes, PostgresErrorMap, ::testing::ValuesIn(cases), [](const auto& one) {
  return std::string(one.param.name);
});

TEST(PostgresErrors, a_lost_link_before_a_commit_applied_nothing_and_is_tried_again) {
  const Error error = map_error({{}, "connection reset", {}, true}, "write");
  EXPECT_EQ(error.code, Code::unavailable);
  EXPECT_EQ(error.retry, Retry::now);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
}

TEST(PostgresErrors, a_commit_that_the_server_refused_was_not_applied) {
  for (const char* state : {"40001", "23514", "25P02", "57014"}) {
    const Error error = map_commit_error(failure_of(state));
    EXPECT_EQ(error.certainty, Certainty::not_applied) << state;
    EXPECT_NE(error.code, Code::unknown) << state;
  }
}

TEST(PostgresErrors, a_commit_whose_answer_was_lost_has_an_unknown_fate) {
  const Failure failures[] = {failure_of(""),
                              failure_of("", true),
                              failure_of("08006"),
                              failure_of("08007"),
                              failure_of("40003"),
                              failure_of("57P01", true),
                              failure_of("57P02", true)};
  for (const Failure& failure : failures) {
    const Error error = map_commit_error(failure);
    EXPECT_EQ(error.certainty, Certainty::unknown) << failure.state;
    EXPECT_EQ(error.code, Code::unknown) << failure.state;
    EXPECT_EQ(error.retry, Retry::after_backoff) << failure.state;
    EXPECT_EQ(error.where, "postgres: commit");
  }
}

TEST(PostgresErrors, what_the_author_of_a_statement_got_wrong_is_an_invalid_request) {
  for (const char* state :
       {"42601", "42P01", "42703", "23505", "23514", "22012", "22P02", "P0001"}) {
    EXPECT_EQ(map_user_error(failure_of(state)).code, Code::invalid_request) << state;
  }
  EXPECT_EQ(map_user_error(failure_of("40P01")).retry, Retry::now);
  EXPECT_EQ(map_user_error(failure_of("53100")).code, Code::unavailable);
  EXPECT_EQ(map_user_error(failure_of("25006")).code, Code::unavailable);
}

TEST(PostgresErrors, control_characters_of_a_message_do_not_reach_a_log_line) {
  const Error error = map_user_error({"42601", "syntax error at \"a\nb\x1b[31m\"", {}, false});
  EXPECT_EQ(error.detail.find('\n'), std::string::npos);
  EXPECT_EQ(error.detail.find('\x1b'), std::string::npos);
}

TEST(PostgresErrors, only_a_violated_key_is_a_duplicate) {
  EXPECT_TRUE(is_duplicate(failure_of("23505")));
  EXPECT_FALSE(is_duplicate(failure_of("23514")));
  EXPECT_FALSE(is_duplicate(failure_of("")));
}

TEST(PostgresErrors, a_refused_login_is_told_by_the_servers_code) {
  constexpr std::string_view spoken =
      "connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection refused\n"
      "connection to server at \"db\" (10.0.0.2), port 5432 failed: FATAL:  28P01: password "
      "authentication failed for user \"shop\"\nLOCATION:  auth_failed, auth.c:326\n";
  const Failure failure = login_failure(spoken, false);
  EXPECT_EQ(failure.state, "28P01");
  EXPECT_EQ(failure.message.find("LOCATION"), std::string::npos) << failure.message;
  const Error error = map_error(failure, "connect");
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_EQ(error.retry, Retry::never);
  EXPECT_NE(error.detail.find("password"), std::string::npos) << error.detail;
}

TEST(PostgresErrors, a_login_without_an_answer_may_be_tried_later) {
  const Failure failure = login_failure("could not connect: Connection refused: 12345", false);
  EXPECT_EQ(failure.state, "08001");
  EXPECT_EQ(map_error(failure, "connect").code, Code::unavailable);
}

TEST(PostgresErrors, a_link_that_is_not_trusted_is_not_to_be_tried_again) {
  for (const char* spoken :
       {"connection to server at \"db\" (10.0.0.1), port 5432 failed: root certificate file "
        "\"/root/.postgresql/root.crt\" does not exist\nEither provide the file or change sslmode",
        "connection failed: server certificate for \"a\" does not match host name \"b\"",
        "connection failed: SSL error: certificate verify failed",
        "connection failed: server does not support SSL, but SSL was required"}) {
    const Error error = map_error(login_failure(spoken, false), "connect");
    EXPECT_EQ(error.code, Code::invalid_request) << spoken;
    EXPECT_EQ(error.retry, Retry::never) << spoken;
    EXPECT_NE(error.detail.find("sslrootcert"), std::string::npos) << error.detail;
  }
}

/// The library asks for a server that writes, and says so in words only.
TEST(PostgresErrors, a_server_that_may_not_write_is_called_read_only) {
  for (const char* spoken :
       {"connection to server on socket \"/run/s\" failed: session is read-only",
        "connection to server at \"db\", port 5432 failed: server is in hot standby mode"}) {
    const Error error = map_error(login_failure(spoken, false), "connect");
    EXPECT_EQ(error.code, Code::unavailable) << spoken;
    EXPECT_NE(error.detail.find("read only"), std::string::npos) << error.detail;
    EXPECT_EQ(error.detail.find("broken"), std::string::npos) << error.detail;
  }
}

TEST(PostgresErrors, a_password_that_nobody_gave_is_a_refused_login) {
  const Failure failure = login_failure("fe_sendauth: no password supplied", true);
  EXPECT_EQ(map_error(failure, "connect").code, Code::invalid_request);
}

}  // namespace
}  // namespace mizan::postgres
