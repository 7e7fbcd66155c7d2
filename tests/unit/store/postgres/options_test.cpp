#include "store/postgres/options.hpp"

#include "mizan/postgres.hpp"

#include "testkit/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>

namespace mizan::postgres {
namespace {

TEST(PostgresUrl, the_ledgers_own_parameters_are_taken_out_and_the_rest_is_libpqs) {
  const auto options = parse_postgres_url(
      "postgres://me:secret@host:5433/shop?sslmode=require&schema=ledger&connections_max=7&"
      "application_name=till&readers_max=3&prepared_statements=off&password_file=%2Frun%2Fpw");
  ASSERT_TRUE(options) << options.error().detail;
  EXPECT_EQ(options->url,
            "postgres://me:secret@host:5433/shop?sslmode=require&application_name=till");
  EXPECT_EQ(options->schema, "ledger");
  EXPECT_EQ(options->connections_max, 7U);
  EXPECT_EQ(options->readers_max, 3U);
  EXPECT_FALSE(options->prepared_statements);
  EXPECT_EQ(options->password_file, "/run/pw");
}

TEST(PostgresUrl, a_plain_url_is_left_as_it_is) {
  for (const char* url : {"postgres://h/d", "postgresql://", "postgres:///d?host=/tmp"}) {
    const auto options = parse_postgres_url(url);
    ASSERT_TRUE(options) << url;
    EXPECT_EQ(options->url, url);
    EXPECT_EQ(options->schema, "mizan");
  }
}

/// libpq ends a login at its first `@`, or takes what has a `/` before it for a host and a port: a
/// password with such a mark would stand in its words about the host.
TEST(PostgresUrl, a_password_whose_marks_are_not_escaped_is_not_read_as_something_else) {
  for (const char* url : {"postgres://me:Q@Z/Q@h/d",
                          "postgres://me:Q/Z@h/d",
                          "postgres://me:1/2?Z=Q@h/d",
                          "postgres://me:Q@Z?Q=Z@h/d"}) {
    const auto options = parse_postgres_url(url);
    ASSERT_FALSE(options) << url;
    EXPECT_NE(options.error().detail.find("%40"), std::string::npos) << options.error().detail;
    EXPECT_EQ(options.error().detail.find_first_of("QZ"), std::string::npos);
  }
  const auto question = parse_postgres_url("postgres://me:Q?schema=Z@h/d?schema=own");
  ASSERT_TRUE(question) << question.error().detail;
  EXPECT_EQ(question->schema, "own");
  EXPECT_EQ(question->url, "postgres://me:Q?schema=Z@h/d");
}

TEST(PostgresUrl, what_is_wrong_is_named_and_no_password_is_shown) {
  struct Wrong {
    const char* url;
    const char* named;
  };

  constexpr Wrong wrongs[] = {
      {"postgres://me:secret@h/d?schema=Ledger", "schema"},
      {"postgres://me:secret@h/d?schema=a%22b", "schema"},
      {"postgres://me:secret@h/d?schema=1a", "schema"},
      {"postgres://me:secret@h/d?schema=pg_x", "schema"},
      {"postgres://me:secret@h/d?connections_max=0", "connections_max"},
      {"postgres://me:secret@h/d?readers_max=-1", "readers_max"},
      {"postgres://me:secret@h/d?prepared_statements=maybe", "prepared_statements"},
      {"postgres://me:secret@h/d?colour=red", "colour"},
      {"postgres://me:secret%zz@h/d", "form"},
      {"postgres://me:secret@h/d?schema=%z", "%"},
      {"postgres://me:secret@[::1/d", "form"},
  };
  for (const Wrong& wrong : wrongs) {
    const auto options = parse_postgres_url(wrong.url);
    ASSERT_FALSE(options) << wrong.url;
    EXPECT_EQ(options.error().code, Code::invalid_request) << wrong.url;
    EXPECT_NE(options.error().detail.find(wrong.named), std::string::npos)
        << wrong.url << ": " << options.error().detail;
    EXPECT_EQ(options.error().detail.find("secret"), std::string::npos) << options.error().detail;
  }
}

TEST(PostgresOptions, the_first_line_of_the_password_file_is_the_password) {
  const testkit::TempDir directory;
  PostgresOptions options;
  options.url = "postgres://h/d";
  options.password_file = directory.path() / "password";
  EXPECT_FALSE(to_settings(options)) << "the file is missing";
  std::ofstream(options.password_file) << "s3cr3t\r\nsomething else\n";
  const auto settings = to_settings(options);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->password, "s3cr3t");
}

TEST(PostgresOptions, a_server_that_is_not_there_is_unavailable_in_time_without_the_password) {
  PostgresOptions options;
  options.url = "postgres://me:s3cr3t@127.0.0.1:1/d";
  const Instant before = system_clock().now();
  const auto store = open_postgres_store(options, system_clock());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::unavailable);
  EXPECT_EQ(store.error().certainty, Certainty::not_applied);
  EXPECT_EQ(store.error().detail.find("s3cr3t"), std::string::npos) << store.error().detail;
  EXPECT_LT(system_clock().now() - before, std::chrono::seconds(15));
}

}  // namespace
}  // namespace mizan::postgres
