#include "testkit/server.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/lock_redis.hpp"

#include <gtest/gtest.h>

#include <string>

// TLS between the lock and Redis: the certificate is checked, and nothing else changes.

namespace mizan::conformance {
namespace {

using testkit::RedisServer;

constexpr milliseconds ttl{10'000};

class RedisTls : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto openssl = testkit::find_program("openssl");
    if (!openssl) {
      if (testkit::is_required("redis")) FAIL() << "openssl is not installed";
      GTEST_SKIP() << "not run: openssl is not installed (Debian package openssl)";
    }
    const Status made = testkit::Server::run({openssl->string(),
                                              "req",
                                              "-x509",
                                              "-newkey",
                                              "rsa:2048",
                                              "-nodes",
                                              "-days",
                                              "2",
                                              "-subj",
                                              "/CN=mizan test",
                                              "-addext",
                                              "subjectAltName=IP:127.0.0.1,DNS:redis.test",
                                              "-keyout",
                                              path("key.pem"),
                                              "-out",
                                              path("cert.pem")},
                                             "");
    ASSERT_TRUE(made) << made.error().detail;
    start();
  }

  void start() {
    const auto port = testkit::free_port();
    ASSERT_TRUE(port);
    auto server = RedisServer::start({.settings = {{"tls-port", std::to_string(*port)},
                                                   {"tls-cert-file", path("cert.pem")},
                                                   {"tls-key-file", path("key.pem")},
                                                   {"tls-ca-cert-file", path("cert.pem")},
                                                   {"tls-auth-clients", "no"}}});
    if (!server) return skip_or_fail_redis(server.error());
    server_ = std::move(*server);
    options_ = redis_at(*port);
    options_.tls = true;
    options_.tls_ca_file = path("cert.pem");
    const auto probe = make_redis_lease_table(options_, nullptr);
    if (!probe && probe.error().detail.find("this build has none") != std::string::npos) {
      ASSERT_FALSE(testkit::is_required("redis")) << probe.error().detail;
      GTEST_SKIP() << probe.error().detail;
    }
  }

  std::string path(const char* name) { return (folder_.path() / name).string(); }

  Result<LeaseAttempt> acquire(const RedisOptions& options, const LockOwner& owner) {
    return must_make_table(options, store_->epochs())->acquire(resource, owner, ttl);
  }

  testkit::TempDir folder_;
  std::unique_ptr<Store> store_ = make_memory_store(system_clock());
  std::unique_ptr<RedisServer> server_;
  RedisOptions options_;
};

TEST_F(RedisTls, a_lock_is_held_handed_over_and_heard_of) {
  const auto holder = must_make_table(options_, store_->epochs());
  const auto waiter = must_make_table(options_, store_->epochs());
  const auto granted = holder->acquire(resource, LockOwner{"a"}, ttl);
  ASSERT_TRUE(granted) << granted.error().detail;
  ASSERT_TRUE(std::holds_alternative<LeaseGranted>(*granted));
  EXPECT_TRUE(*holder->renew(resource, LockOwner{"a"}, ttl));
  const auto began_at = system_clock().now();
  static_cast<void>(waiter->acquire(resource, LockOwner{"b"}, ttl));
  waiter->wait_for_release(resource, milliseconds{20'000});  // Until it has subscribed.
  // What is heard after this try ends the wait below, however late that begins.
  static_cast<void>(waiter->acquire(resource, LockOwner{"b"}, ttl));
  EXPECT_TRUE(*holder->release(resource, LockOwner{"a"}));
  waiter->wait_for_release(resource, milliseconds{20'000});
  EXPECT_LT(system_clock().now() - began_at, milliseconds{15'000});
}

TEST_F(RedisTls, an_unknown_certificate_is_refused) {
  options_.tls_ca_file.clear();
  const auto refused = acquire(options_, stranger);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
  EXPECT_EQ(refused.error().retry, Retry::never);
  EXPECT_NE(refused.error().detail.find("certificate"), std::string::npos)
      << refused.error().detail;
}

TEST_F(RedisTls, a_certificate_of_another_host_is_refused) {
  options_.addresses[0].host = "localhost";
  const auto refused = acquire(options_, stranger);
  ASSERT_FALSE(refused) << "the certificate names 127.0.0.1 only";
  EXPECT_NE(refused.error().detail.find("mismatch"), std::string::npos) << refused.error().detail;
}

TEST_F(RedisTls, a_server_may_ask_for_our_certificate) {
  ASSERT_TRUE(server_->ask({"CONFIG", "SET", "tls-auth-clients", "yes"}));
  EXPECT_FALSE(acquire(options_, stranger)) << "without one";
  options_.tls_cert_file = path("cert.pem");
  options_.tls_key_file = path("key.pem");
  const auto granted = acquire(options_, stranger);
  EXPECT_TRUE(granted) << granted.error().detail;
}

TEST_F(RedisTls, a_server_in_the_clear_is_an_error_in_time) {
  options_.addresses[0].port = server_->port();
  options_.connect_timeout = milliseconds{1'000};
  const auto refused = acquire(options_, stranger);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
}

TEST_F(RedisTls, files_that_are_missing_are_told_at_once) {
  options_.tls_ca_file = path("no-such.pem");
  const auto table = make_redis_lease_table(options_, nullptr);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, Code::invalid_request);
}

}  // namespace
}  // namespace mizan::conformance
