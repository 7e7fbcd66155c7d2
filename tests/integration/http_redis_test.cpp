#include "exposition.hpp"
#include "http_server.hpp"
#include "testkit/redis_server.hpp"
#include "testkit/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

  [[nodiscard]] static double epochs_drawn(const HttpServer& server) {
    const Exposition metrics = read_exposition(server.get("/metrics").raw.body);
    EXPECT_THAT(metrics.problems, ::testing::IsEmpty());
    return metrics.value("mizan_lock_epochs_drawn_total");
  }

  std::unique_ptr<testkit::RedisServer> redis_;
};

TEST_F(HttpRedis, the_memory_that_a_lock_service_loses_is_counted) {
  const HttpServer server({"--lock", "redis://127.0.0.1:" + std::to_string(redis_->port())});
  server.make_ledger();
  // The first epoch of all is one too: a Redis without one may have lost it.
  const double before = epochs_drawn(server);
  ASSERT_TRUE(redis_->ask({"FLUSHALL"}));
  ASSERT_EQ(server.post("/v1/deposits", {{"wallet", "bob"}, {"amount", "1"}}, "d").status, 201);
  EXPECT_EQ(epochs_drawn(server), before + 1) << "by the ledger's own lock";
}

}  // namespace
}  // namespace mizan::integration
