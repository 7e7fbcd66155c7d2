#include "store/mariadb/error_map.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace mizan::mariadb {
namespace {

struct Case {
  std::string_view name;
  std::uint32_t number = 0;
  Code meaning = Code::internal;
  Retry retry = Retry::never;
  std::string_view advice;  ///< A part of the text that says what to do.
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class MariadbErrorMap : public ::testing::TestWithParam<Case> {};

Failure failure_of(std::uint32_t number, std::string_view state = "HY000") {
  return {number, std::string(state), "native text"};
}

TEST_P(MariadbErrorMap, says_what_it_means_and_what_to_do) {
  const Case& expected = GetParam();
  const Error error = map_error(failure_of(expected.number), "write");
  EXPECT_EQ(error.code, expected.meaning) << to_string(error.code);
  EXPECT_EQ(error.retry, expected.retry);
  EXPECT_EQ(error.certainty, Certainty::not_applied);
  EXPECT_EQ(error.where, "mariadb: write");
  EXPECT_NE(error.detail.find(expected.advice), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("native text"), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find(std::to_string(expected.number)), std::string::npos) << error.detail;
}

constexpr Code again = Code::contended;
constexpr Code down = Code::unavailable;
constexpr Code wrong = Code::invalid_request;
constexpr Code bug = Code::internal;
constexpr Retry later = Retry::after_backoff;

constexpr Case cases[] = {
    {"deadlock_or_certification_failure", 1213, again, Retry::now, "deadlock"},
    {"lock_wait_timeout", 1205, again, Retry::now, "lock"},
    {"checkread", 1020, again, Retry::now, "changed"},
    {"statement_timeout", 1969, again, Retry::now, "too long"},
    {"query_interrupted", 1317, again, Retry::now, "interrupted"},
    {"table_def_changed", 1412, again, Retry::now, "changed meanwhile"},
    {"need_reprepare", 1615, again, Retry::now, "changed meanwhile"},
    {"unknown_stmt_handler", 1243, again, Retry::now, "proxy"},
    {"dup_entry", 1062, bug, Retry::never, "not expected"},
    {"constraint_failed", 4025, bug, Retry::never, "invariant alarm"},
    {"bad_null", 1048, bug, Retry::never, "invariant alarm"},
    {"warn_data_out_of_range", 1264, bug, Retry::never, "invariant alarm"},
    {"data_out_of_range", 1690, bug, Retry::never, "invariant alarm"},
    {"data_too_long", 1406, bug, Retry::never, "invariant alarm"},
    {"row_is_referenced", 1451, bug, Retry::never, "invariant alarm"},
    {"no_referenced_row", 1452, bug, Retry::never, "invariant alarm"},
    {"truncated_wrong_value", 1366, wrong, Retry::never, "UTF-8"},
    {"server_gone", 2006, down, Retry::now, "link"},
    {"server_lost", 2013, down, Retry::now, "link"},
    {"connection_error", 2002, down, later, "reached"},
    {"conn_host_error", 2003, down, later, "reached"},
    {"unknown_host", 2005, down, later, "name"},
    {"ssl_connection", 2026, down, later, "encrypted"},
    {"con_count", 1040, down, later, "max_connections"},
    {"too_many_user_connections", 1203, down, later, "user"},
    {"out_of_resources", 1041, down, later, "memory"},
    {"wsrep_not_ready", 1047, down, later, "majority"},
    {"option_prevents_statement", 1290, down, later, "read only"},
    {"cant_execute_in_read_only_transaction", 1792, down, later, "read"},
    {"read_only_mode", 1836, down, later, "read only"},
    {"disk_full", 1021, down, later, "disk is full"},
    {"record_file_full", 1114, down, later, "full"},
    {"max_prepared_stmt_count", 1461, down, later, "max_prepared_stmt_count"},
    {"server_shutdown", 1053, down, Retry::now, "shutting down"},
    {"connection_killed", 1927, down, Retry::now, "ended the session"},
    {"net_read_interrupted", 1159, down, Retry::now, "too long"},
    {"host_is_blocked", 1129, down, later, "blocks"},
    {"access_denied", 1045, wrong, Retry::never, "password"},
    {"dbaccess_denied", 1044, wrong, Retry::never, "password"},
    {"host_not_privileged", 1130, wrong, Retry::never, "host"},
    {"auth_plugin_cannot_load", 2059, wrong, Retry::never, "safe"},
    {"bad_db", 1049, wrong, Retry::never, "database"},
    {"no_db", 1046, wrong, Retry::never, "database"},
    {"binlog_stmt_mode_and_row_engine", 1665, wrong, Retry::never, "binlog_format"},
    {"tableaccess_denied", 1142, wrong, Retry::never, "privilege"},
    {"specific_access_denied", 1227, wrong, Retry::never, "privilege"},
    {"no_such_table", 1146, wrong, Retry::never, "mizan init"},
    {"unknown_sequence", 4091, wrong, Retry::never, "mizan init"},
    {"net_packet_too_large", 1153, bug, Retry::never, "max_allowed_packet"},
    {"key_not_found", 1032, bug, Retry::never, "restore"},
    {"not_keyfile", 1034, bug, Retry::never, "restore"},
    {"sequence_run_out", 4084, bug, Retry::never, "used up"},
    {"parse_error", 1064, bug, Retry::never, ""},
    {"bad_field", 1054, bug, Retry::never, ""},
    {"never_heard_of", 9999, bug, Retry::never, ""},
};

INSTANTIATE_TEST_SUITE_P(codes, MariadbErrorMap, ::testing::ValuesIn(cases), [](const auto& one) {
  return std::string(one.param.name);
});

TEST(MariadbCommitError, what_the_server_refused_was_not_applied_and_is_tried_again) {
  for (const std::uint32_t number : {1213U, 1020U, 1305U}) {
    const Error error = map_commit_error(failure_of(number));
    EXPECT_EQ(error.code, Code::contended) << number;
    EXPECT_EQ(error.certainty, Certainty::not_applied) << number;
    EXPECT_EQ(error.retry, Retry::now) << number;
  }
  EXPECT_EQ(map_commit_error(failure_of(1290)).code, Code::unavailable);
  EXPECT_EQ(map_commit_error(failure_of(4025)).code, Code::internal);
}

TEST(MariadbCommitError, everything_else_leaves_its_fate_unknown) {
  for (const std::uint32_t number :
       {2006U, 2013U, 2055U, 1927U, 1053U, 1047U, 1317U, 1969U, 1180U, 1105U, 1205U, 9999U}) {
    const Error error = map_commit_error(failure_of(number));
    EXPECT_EQ(error.code, Code::unknown) << number;
    EXPECT_EQ(error.certainty, Certainty::unknown) << number;
    EXPECT_EQ(error.retry, Retry::after_backoff) << number;
  }
}

TEST(MariadbUserError, what_its_author_got_wrong_is_an_invalid_request) {
  for (const std::uint32_t number : {1064U, 1054U, 1146U, 1062U, 1406U, 1452U, 4025U, 2031U}) {
    EXPECT_EQ(map_user_error(failure_of(number)).code, Code::invalid_request) << number;
  }
  EXPECT_EQ(map_user_error(failure_of(1644, "45000")).code, Code::invalid_request);
  EXPECT_EQ(map_user_error(failure_of(1213, "40001")).code, Code::contended);
  EXPECT_EQ(map_user_error(failure_of(2013)).code, Code::unavailable);
}

TEST(MariadbLink, that_is_not_trusted_is_not_to_be_tried_again) {
  for (const char* spoken : {"TLS/SSL error: certificate verify failed",
                             "TLS/SSL error: Validation of SSL server certificate failed",
                             "TLS/SSL error: No such file or directory"}) {
    const Error error = map_error({2026, "HY000", spoken}, "connect");
    EXPECT_EQ(error.code, Code::invalid_request) << spoken;
    EXPECT_EQ(error.retry, Retry::never) << spoken;
    EXPECT_NE(error.detail.find("tls_ca"), std::string::npos) << error.detail;
  }
  const Error passing = map_error({2026, "HY000", "TLS/SSL error: unexpected eof"}, "connect");
  EXPECT_EQ(passing.code, Code::unavailable);
}

TEST(MariadbErrorText, a_native_text_cannot_break_a_log_line) {
  const Error error = map_error({1064, "42000", "near '\n\x1b[2J'"}, "write");
  EXPECT_EQ(error.detail.find('\n'), std::string::npos);
  EXPECT_EQ(error.detail.find('\x1b'), std::string::npos);
}

TEST(MariadbLink, leaves_a_node_that_is_not_in_its_clusters_majority) {
  EXPECT_TRUE(is_away(failure_of(1047)));
  EXPECT_FALSE(is_away(failure_of(1213)));
}

TEST(MariadbLink, is_over_after_good_bye_and_goes_on_after_other_errors) {
  for (const std::uint32_t number : {2006U, 2013U, 1927U, 1053U, 4031U, 1047U}) {
    EXPECT_TRUE(is_link_lost(failure_of(number))) << number;
  }
  for (const std::uint32_t number : {1213U, 1205U, 1062U, 1064U, 1969U, 2031U}) {
    EXPECT_FALSE(is_link_lost(failure_of(number))) << number;
  }
}

}  // namespace
}  // namespace mizan::mariadb
