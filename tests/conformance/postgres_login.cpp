// How a store logs in to PostgreSQL: a wrong password is told as what it is and never repeated, and
// TLS checks whom it speaks with.

#include "mizan/postgres.hpp"

#include "testkit/eventually.hpp"
#include "testkit/postgres_server.hpp"
#include "testkit/server.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::conformance {
namespace {

constexpr std::string_view password = "S3cret-of-the-shop";

/// A server that asks for a password where one comes over TCP, and speaks TLS there, as
/// `db.test` and `localhost`, with a certificate of an authority of the test's own.
class PostgresLogin : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"postgres", testkit::PostgresServer::why_missing})) return;
    const auto openssl = testkit::find_program("openssl");
    ASSERT_TRUE(openssl || !testkit::is_required("postgres")) << "openssl is not installed";
    if (!openssl) GTEST_SKIP() << "skipped: openssl is not installed (Debian package openssl)";
    openssl_ = openssl->string();
    make_certificates();
    auto server = testkit::PostgresServer::start([this](const std::filesystem::path& data) {
      data_ = data;
      speak_tls();
    });
    ASSERT_TRUE(server) << server.error().detail;
    server_ = std::move(*server);
    port_ = ask("SHOW port");
    must(server_->execute("CREATE ROLE shop SUPERUSER LOGIN PASSWORD '" + std::string(password) +
                          "'"));
  }

  /// The one value that a query answers.
  [[nodiscard]] std::string ask(const std::string& query) {
    const std::string file = (folder_.path() / "answer").string();
    auto psql = must(server_->psql());
    for (const std::string& word : {std::string("--no-align"),
                                    std::string("--tuples-only"),
                                    "--output=" + file,
                                    "--command=" + query}) {
      psql.push_back(word);
    }
    must(testkit::Server::run(psql, {}));
    std::string answer;
    std::ifstream stream(file);
    std::getline(stream, answer);
    return answer;
  }

  void run_openssl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), openssl_);
    must(testkit::Server::run(std::move(arguments), {}));
  }

  void make_certificates() {
    const auto authority = [&](const std::string& name) {
      run_openssl({"req",
                   "-x509",
                   "-newkey",
                   "rsa:2048",
                   "-nodes",
                   "-days",
                   "2",
                   "-subj",
                   "/CN=" + name,
                   "-keyout",
                   path(name + ".key"),
                   "-out",
                   path(name + ".pem")});
    };
    authority("ours");
    authority("theirs");
    run_openssl({"req",
                 "-newkey",
                 "rsa:2048",
                 "-nodes",
                 "-subj",
                 "/CN=localhost",
                 "-keyout",
                 path("server.key"),
                 "-out",
                 path("server.csr")});
    run_openssl({"x509",
                 "-req",
                 "-in",
                 path("server.csr"),
                 "-CA",
                 path("ours.pem"),
                 "-CAkey",
                 path("ours.key"),
                 "-CAcreateserial",
                 "-days",
                 "2",
                 "-out",
                 path("server.pem")});
  }

  /// The files become the server's own, with rights that it accepts.
  void speak_tls() {
    for (const char* name : {"server.key", "server.pem"}) {
      const std::filesystem::path target = data_ / name;
      // Overwrites a file of the server's, which keeps its owner.
      must(testkit::Server::run({"cp", "--", (data_ / "PG_VERSION").string(), target.string()},
                                "postgres"));
      std::ofstream(target) << std::ifstream(path(name)).rdbuf();
      std::filesystem::permissions(
          target, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    std::ofstream(data_ / "postgresql.auto.conf", std::ios::app)
        << "listen_addresses = '127.0.0.1'\nssl = on\nssl_key_file = 'server.key'\n"
           "ssl_cert_file = 'server.pem'\n";
    std::ofstream(data_ / "pg_hba.conf")
        << "local all all trust\nhostssl all shop 127.0.0.1/32 scram-sha-256\n";
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }

  struct Login {
    std::string host = "localhost";
    std::string mode = "verify-full";
    std::string authority = "ours.pem";
    std::string password = std::string(conformance::password);
  };

  [[nodiscard]] Result<std::unique_ptr<Store>> open(const Login& login) const {
    PostgresOptions options;
    options.url = "postgres://shop:" + login.password + "@" + login.host +
                  "/postgres?hostaddr=" + "127.0.0.1&port=" + port_ + "&sslmode=" + login.mode +
                  "&sslrootcert=" + path(login.authority);
    return open_postgres_store(std::move(options), system_clock());
  }

  static void expect_silence(const Error& error, std::string_view secret) {
    EXPECT_EQ(error.detail.find(secret), std::string::npos) << error.detail;
    EXPECT_EQ(error.where.find(secret), std::string::npos) << error.where;
  }

  testkit::TempDir folder_{"mizan-login"};
  std::string openssl_;
  std::unique_ptr<testkit::PostgresServer> server_;
  std::string port_;
  std::filesystem::path data_;
};

TEST_F(PostgresLogin, with_the_right_authority_host_and_password_is_let_in) {
  if (server_ == nullptr) return;
  auto store = open({});
  ASSERT_TRUE(store) << store.error().detail;
  EXPECT_TRUE((*store)->migrate());
  EXPECT_TRUE((*store)->snapshot());
}

TEST_F(PostgresLogin, with_a_wrong_password_is_refused_for_good_and_repeats_none) {
  if (server_ == nullptr) return;
  const auto store = open({.password = "Wr0ng-of-the-shop"});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::invalid_request) << store.error().detail;
  EXPECT_EQ(store.error().retry, Retry::never);
  EXPECT_EQ(store.error().certainty, Certainty::not_applied);
  EXPECT_NE(store.error().detail.find("password"), std::string::npos) << store.error().detail;
  EXPECT_NE(store.error().detail.find("28P01"), std::string::npos) << store.error().detail;
  expect_silence(store.error(), "Wr0ng-of-the-shop");
  expect_silence(store.error(), password);
}

TEST_F(PostgresLogin, without_a_password_is_refused_for_good) {
  if (server_ == nullptr) return;
  const auto store = open({.password = ""});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::invalid_request) << store.error().detail;
  EXPECT_EQ(store.error().retry, Retry::never);
}

TEST_F(PostgresLogin, does_not_speak_with_another_host) {
  if (server_ == nullptr) return;
  const auto store = open({.host = "db.test"});
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().detail.find("certificate"), std::string::npos) << store.error().detail;
  EXPECT_EQ(store.error().code, Code::invalid_request) << store.error().detail;
  expect_silence(store.error(), password);
  EXPECT_TRUE(open({.host = "db.test", .mode = "verify-ca"})) << "verify-ca looks at no name";
}

TEST_F(PostgresLogin, does_not_trust_another_authority) {
  if (server_ == nullptr) return;
  const auto store = open({.authority = "theirs.pem"});
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().detail.find("certificate"), std::string::npos) << store.error().detail;
  EXPECT_EQ(store.error().code, Code::invalid_request) << store.error().detail;
  expect_silence(store.error(), password);
}

TEST_F(PostgresLogin, is_not_talked_out_of_tls) {
  if (server_ == nullptr) return;
  std::ofstream(data_ / "postgresql.auto.conf", std::ios::app) << "ssl = off\n";
  must(server_->execute("SELECT pg_reload_conf()"));
  ASSERT_TRUE(testkit::eventually([&] { return ask("SHOW ssl") == "off"; }));
  for (const char* mode : {"verify-full", "verify-ca", "require"}) {
    const auto store = open({.mode = mode});
    ASSERT_FALSE(store) << mode;
    EXPECT_NE(store.error().detail.find("SSL"), std::string::npos) << store.error().detail;
    expect_silence(store.error(), password);
  }
}

TEST_F(PostgresLogin, without_tls_is_refused_by_a_server_that_demands_it) {
  if (server_ == nullptr) return;
  const auto store = open({.mode = "disable"});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::invalid_request) << store.error().detail;
  EXPECT_NE(store.error().detail.find("28000"), std::string::npos) << store.error().detail;
  expect_silence(store.error(), password);
}

}  // namespace
}  // namespace mizan::conformance
