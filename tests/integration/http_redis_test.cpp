#include "exposition.hpp"
#include "http_server.hpp"
#include "hung_store.hpp"
#include "testkit/eventually.hpp"
#include "testkit/frozen_programs.hpp"
#include "testkit/postgres_server.hpp"
#include "testkit/redis_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

// The server with its lock in Redis.

namespace mizan::integration {
namespace {

/// A ledger whose own locks are in a private Redis.
class HttpRedis : public ::testing::Test {
 protected:
  void SetUp() override {
    auto redis = testkit::RedisServer::start();
    if (!redis) {
      const auto missing = testkit::RedisServer::why_missing();
      if (missing && !testkit::is_required("redis")) GTEST_SKIP() << *missing;
      FAIL() << redis.error().detail;
    }
    redis_ = std::move(*redis);
  }

  [[nodiscard]] std::string url() const {
    return "redis://127.0.0.1:" + std::to_string(redis_->port());
  }

  /// A lock service that has much more patience than the server's clients.
  [[nodiscard]] HttpServer::Words with_patience() const {
    const std::string deadline = std::to_string(hung_answer_time.count()) + "ms";
    const std::string lock = url() + "?command_timeout=60s&connect_timeout=60s";
    return {"--lock", lock, "--deadline", deadline};
  }

  static bool is_granted(const HttpServer& server) {
    return server.post("/v1/locks/mine", {{"ttl_ms", 10'000}, {"owner", "me"}}).status == 201;
  }

  [[nodiscard]] static double epochs_drawn(const HttpServer& server) {
    const Exposition metrics = read_exposition(server.get("/metrics").raw.body);
    EXPECT_THAT(metrics.problems, ::testing::IsEmpty());
    return metrics.value("mizan_lock_epochs_drawn_total");
  }

  std::unique_ptr<testkit::RedisServer> redis_;
};

TEST_F(HttpRedis, the_memory_that_a_lock_service_loses_is_counted) {
  const HttpServer server({"--lock", url()});
  server.make_ledger();
  // The first epoch of all is one too: a Redis without one may have lost it.
  const double before = epochs_drawn(server);
  ASSERT_TRUE(redis_->ask({"FLUSHALL"}));
  ASSERT_EQ(server.post("/v1/deposits", {{"wallet", "bob"}, {"amount", "1"}}, "d").status, 201);
  EXPECT_EQ(epochs_drawn(server), before + 1) << "by the ledger's own lock";
}

TEST_F(HttpRedis, who_asks_for_a_lock_has_an_answer_in_time_while_redis_hangs) {
  const HttpServer server(with_patience());
  ASSERT_TRUE(is_granted(server));
  redis_->freeze();
  // First over connections that were good before, then over new ones.
  expect_lock_answers_in_time(server);
  expect_lock_answers_in_time(server);
  redis_->thaw();
  EXPECT_TRUE(testkit::eventually([&] { return is_granted(server); }, std::chrono::seconds{30}));
}

TEST_F(HttpRedis, and_while_the_database_hangs_that_orders_the_tokens) {
  auto database = testkit::PostgresServer::start();
  if (!database) {
    const auto missing = testkit::PostgresServer::why_missing();
    if (missing && !testkit::is_required("postgres")) GTEST_SKIP() << *missing;
    FAIL() << database.error().detail;
  }
  HttpServer::Words words = with_patience();
  words.insert(words.end(), {"--store", (*database)->url()});
  const HttpServer server(words);
  ASSERT_TRUE(is_granted(server));
  {
    const testkit::FrozenPrograms frozen("postgres");
    ASSERT_FALSE(frozen.empty());
    ASSERT_TRUE(redis_->ask({"FLUSHALL"}));
    expect_lock_answers_in_time(server);
  }
  EXPECT_TRUE(testkit::eventually([&] { return is_granted(server); }, std::chrono::seconds{30}));
}

}  // namespace
}  // namespace mizan::integration
