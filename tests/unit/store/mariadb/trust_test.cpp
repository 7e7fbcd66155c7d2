// The link to a server: encrypted with whom it may be, and answered in time whoever is there.

#include "store/mariadb/connection.hpp"
#include "store/mariadb/options.hpp"
#include "testkit/mariadb_server.hpp"
#include "testkit/server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::mariadb {
namespace {

using testkit::MariadbServer;
using testkit::Server;
using Tls = MariadbOptions::Tls;

constexpr const char* server_user = "mysql";

/// A private authority and certificates of its making, which the server's user may read.
class Authority {
 public:
  Authority() : folder_(std::move(Server::make_directory("mizan-tls", server_user)).value()) {
    run({"req",
         "-x509",
         "-newkey",
         "rsa:2048",
         "-nodes",
         "-days",
         "2",
         "-subj",
         "/CN=mizan test authority",
         "-keyout",
         path("ca.key"),
         "-out",
         path("ca.pem")});
  }

  /// Settings of a server whose certificate is of this name.
  std::vector<std::string> certify(const std::string& name) {
    run({"req",
         "-newkey",
         "rsa:2048",
         "-nodes",
         "-subj",
         "/CN=" + name,
         "-keyout",
         path("server.key"),
         "-out",
         path("server.csr")});
    run({"x509",
         "-req",
         "-in",
         path("server.csr"),
         "-CA",
         path("ca.pem"),
         "-CAkey",
         path("ca.key"),
         "-CAcreateserial",
         "-days",
         "2",
         "-out",
         path("server.pem")});
    return {"--ssl-cert=" + path("server.pem"),
            "--ssl-key=" + path("server.key"),
            "--ssl-ca=" + path("ca.pem")};
  }

  [[nodiscard]] std::string path(const char* name) const { return folder_->path() / name; }

 private:
  static void run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), testkit::find_program("openssl")->string());
    const Status done = Server::run(std::move(arguments), server_user);
    EXPECT_TRUE(done) << done.error().detail;
  }

  std::unique_ptr<testkit::TempDir> folder_;
};

class MariadbTrust : public ::testing::Test {
 protected:
  void SetUp() override {
    std::optional<std::string> missing = MariadbServer::why_missing();
    if (!missing && !testkit::find_program("openssl")) missing = "openssl is not installed";
    if (!missing) return;
    if (testkit::is_required("mariadb")) FAIL() << *missing;
    GTEST_SKIP() << *missing;
  }

  void start(std::vector<std::string> settings) {
    options_.host = "127.0.0.1";
    options_.port = testkit::free_port().value();
    auto server = MariadbServer::start({options_.port, std::move(settings)});
    ASSERT_TRUE(server) << server.error().detail;
    server_ = std::move(*server);
    ASSERT_TRUE(server_->execute(
        "CREATE USER shop@'%' IDENTIFIED BY 'right-horse'; GRANT ALL ON mizan.* TO shop@'%'; "
        "CREATE USER sealed@'%' REQUIRE SSL; GRANT ALL ON mizan.* TO sealed@'%'"));
    options_.user = "sealed";
    options_.database = "mizan";
  }

  /// What a connection with these options ends in: nothing where it stands.
  std::optional<Error> connect(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    const auto settings = to_settings(options_);
    if (!settings) return settings.error();
    const Deadline deadline = system_clock().now() + patience;
    auto connection = Connection::open(*settings, system_clock(), deadline);
    if (!connection) return connection.error();
    return std::nullopt;
  }

  MariadbOptions options_;
  std::unique_ptr<MariadbServer> server_;
};

/// Nobody is told to try again what no repetition mends.
void expect_to_be_mended(const Error& error) {
  EXPECT_EQ(error.code, Code::invalid_request) << error.detail;
  EXPECT_EQ(error.retry, Retry::never) << error.detail;
  EXPECT_NE(error.detail.find("tls_ca"), std::string::npos) << error.detail;
}

TEST_F(MariadbTrust, is_encrypted_to_the_host_of_a_known_authority_only) {
  Authority authority;
  start(authority.certify("127.0.0.1"));
  EXPECT_TRUE(connect()) << "the user may come encrypted only";
  options_.tls = Tls::verified;
  options_.tls_ca = authority.path("ca.pem");
  auto failed = connect();
  EXPECT_FALSE(failed) << failed->detail;
  Authority stranger;
  options_.tls_ca = stranger.path("ca.pem");
  failed = connect();
  ASSERT_TRUE(failed) << "an authority that nobody trusts";
  EXPECT_EQ(failed->certainty, Certainty::not_applied);
  options_.tls = Tls::required;
  EXPECT_TRUE(connect()) << "an authority that is named must be the server's, also then";
  options_.tls_ca.clear();
  failed = connect();
  EXPECT_FALSE(failed) << failed->detail;
}

TEST_F(MariadbTrust, is_refused_to_another_host) {
  Authority authority;
  start(authority.certify("elsewhere.test"));
  options_.tls = Tls::verified;
  options_.tls_ca = authority.path("ca.pem");
  const auto failed = connect();
  ASSERT_TRUE(failed) << "the certificate is another host's";
  expect_to_be_mended(*failed);
}

TEST_F(MariadbTrust, is_never_in_the_clear_where_encryption_was_asked_for) {
  start({"--skip-ssl"});
  options_.user = "shop";
  options_.password = "right-horse";
  auto failed = connect();
  EXPECT_FALSE(failed) << failed->detail;
  for (const Tls tls : {Tls::required, Tls::verified}) {
    options_.tls = tls;
    failed = connect();
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->certainty, Certainty::not_applied) << failed->detail;
  }
}

TEST_F(MariadbTrust, a_wrong_password_is_said_once_and_never_repeated) {
  start({});
  options_.user = "shop";
  options_.password = "wrong-horse";
  const auto failed = connect();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->code, Code::invalid_request);
  EXPECT_EQ(failed->retry, Retry::never);
  EXPECT_NE(failed->detail.find("Access denied"), std::string::npos) << failed->detail;
  EXPECT_EQ((failed->where + failed->detail).find("horse"), std::string::npos) << failed->detail;
}

/// Somebody takes the connection and says nothing.
TEST(MariadbSilence, is_answered_within_the_deadline) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(listener, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 8), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  MariadbOptions options;
  options.host = "127.0.0.1";
  options.port = ntohs(address.sin_port);
  options.user = "shop";
  options.database = "mizan";
  const auto settings = to_settings(options);
  ASSERT_TRUE(settings) << settings.error().detail;
  const Instant begin = system_clock().now();
  const auto connection =
      Connection::open(*settings, system_clock(), begin + std::chrono::milliseconds(1'500));
  const auto taken = system_clock().now() - begin;
  ::close(listener);
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, Code::unavailable) << connection.error().detail;
  EXPECT_EQ(connection.error().certainty, Certainty::not_applied);
  EXPECT_LT(taken, std::chrono::seconds(4)) << "1.5 s, a second of rounding, and a loaded machine";
}

}  // namespace
}  // namespace mizan::mariadb
