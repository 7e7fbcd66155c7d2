#include "store/mariadb/options.hpp"

#include "testkit/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace mizan {
namespace {

TEST(MariadbUrl, every_part_is_read_and_unescaped) {
  const auto options = parse_mariadb_url(
      "mariadb://us%40er:p%3Aa%2Fss@db.example:3307/"
      "ledger?prefix=l_&connections_max=3&readers_max=2"
      "&tls=verified&tls_ca=/etc/ca.pem&password_file=/run/secret");
  ASSERT_TRUE(options) << options.error().detail;
  EXPECT_EQ(options->user, "us@er");
  EXPECT_EQ(options->password, "p:a/ss");
  EXPECT_EQ(options->host, "db.example");
  EXPECT_EQ(options->port, 3307);
  EXPECT_EQ(options->database, "ledger");
  EXPECT_EQ(options->prefix, "l_");
  EXPECT_EQ(options->connections_max, 3U);
  EXPECT_EQ(options->readers_max, 2U);
  EXPECT_EQ(options->tls, MariadbOptions::Tls::verified);
  EXPECT_EQ(options->tls_ca, "/etc/ca.pem");
  EXPECT_EQ(options->password_file, "/run/secret");
}

TEST(MariadbUrl, mysql_is_another_spelling_and_a_socket_needs_no_host) {
  const auto options = parse_mariadb_url("mysql://root@/mizan?socket=/run/mysqld/mysqld.sock");
  ASSERT_TRUE(options) << options.error().detail;
  EXPECT_EQ(options->host, "");
  EXPECT_EQ(options->socket, "/run/mysqld/mysqld.sock");
  EXPECT_EQ(options->prefix, "mizan_");
  EXPECT_EQ(options->tls, MariadbOptions::Tls::off);
}

TEST(MariadbUrl, an_address_of_version_6_stands_in_brackets) {
  const auto options = parse_mariadb_url("mariadb://a@[::1]:3308/m");
  ASSERT_TRUE(options) << options.error().detail;
  EXPECT_EQ(options->host, "::1");
  EXPECT_EQ(options->port, 3308);
}

TEST(MariadbUrl, a_password_whose_marks_are_not_escaped_is_not_read_as_something_else) {
  for (const char* url : {"mariadb://me:Q/Z@h/d",
                          "mariadb://me:1/Z@h",
                          "mariadb://me:Q?Z@h/d",
                          "mariadb://me:Q@Z/d?Q=Z@h/d"}) {
    const auto options = parse_mariadb_url(url);
    ASSERT_FALSE(options) << url;
    EXPECT_NE(options.error().detail.find("%40"), std::string::npos) << options.error().detail;
    EXPECT_EQ(options.error().detail.find_first_of("QZ"), std::string::npos);
  }
}

TEST(MariadbUrl, nodes_of_a_cluster_stand_side_by_side) {
  const auto options = parse_mariadb_url("mariadb://a@one:3307,two,[::1]:3309,%66our/m");
  ASSERT_TRUE(options) << options.error().detail;
  EXPECT_EQ(options->host, "one");
  EXPECT_EQ(options->port, 3307);
  ASSERT_EQ(options->further_nodes.size(), 3U);
  EXPECT_EQ(options->further_nodes[0].host, "two");
  EXPECT_EQ(options->further_nodes[0].port, 3306);
  EXPECT_EQ(options->further_nodes[1].host, "::1");
  EXPECT_EQ(options->further_nodes[1].port, 3309);
  EXPECT_EQ(options->further_nodes[2].host, "four");
}

TEST(MariadbUrl, what_is_wrong_is_refused_without_telling_the_password) {
  for (const char* url : {"mariadb:",
                          "mariadb://user:secret@host",
                          "mariadb://user:secret@host/",
                          "mariadb://user:secret@host/a/b",
                          "mariadb://user:secret@host:0/m",
                          "mariadb://user:secret@host:70000/m",
                          "mariadb://user:secret@host:x/m",
                          "mariadb://user:secret%4@host/m",
                          "mariadb://user:secret@[::1/m",
                          "mariadb://user:secret@one,/m",
                          "mariadb://user:secret@,two/m",
                          "mariadb://user:secret@one:1,two:0/m",
                          "mariadb://user:secret@host/m?prefix=",
                          "mariadb://user:secret@host/m?prefix=1a",
                          "mariadb://user:secret@host/m?prefix=a`b",
                          "mariadb://user:secret@host/m?tls=maybe",
                          "mariadb://user:secret@host/m?connections_max=0",
                          "mariadb://user:secret@host/m?no_such=1"}) {
    const auto options = parse_mariadb_url(url);
    ASSERT_FALSE(options) << url;
    EXPECT_EQ(options.error().code, Code::invalid_request) << url;
    EXPECT_EQ(options.error().detail.find("secret"), std::string::npos) << options.error().detail;
  }
}

TEST(MariadbOptions, a_password_comes_from_the_url_then_the_file) {
  const testkit::TempDir folder;
  const std::filesystem::path file = folder.path() / "password";
  std::ofstream(file) << "from the file\r\nnot this\n";
  MariadbOptions options;
  options.database = "m";
  EXPECT_EQ(mariadb::to_settings(options)->password, "");
  options.password_file = file;
  EXPECT_EQ(mariadb::to_settings(options)->password, "from the file");
  options.password = "from the URL";
  EXPECT_EQ(mariadb::to_settings(options)->password, "from the URL");
  options.password.clear();
  options.password_file = folder.path() / "missing";
  EXPECT_FALSE(mariadb::to_settings(options));
}

}  // namespace
}  // namespace mizan
