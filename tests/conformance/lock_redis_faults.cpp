#include "tests/conformance/lock_redis.hpp"

#include <gtest/gtest.h>

#include <string>

// How the Redis lock behaves when Redis is slow, away, refuses or holds strange things.

namespace mizan::conformance {
namespace {

using testkit::RedisCluster;
using testkit::RedisServer;

constexpr milliseconds ttl{10'000};

class RedisFaults : public ::testing::Test {
 protected:
  void start(testkit::RedisServerOptions options = {}) {
    auto server = RedisServer::start(std::move(options));
    if (!server) return skip_or_fail_redis(server.error());
    server_ = std::move(*server);
    options_ = redis_at(server_->port());
  }

  std::unique_ptr<LeaseTable> table() { return must_make_table(options_, store_->epochs()); }

  std::unique_ptr<LockService> lock() {
    auto made = make_redis_lock(options_, store_->epochs(), system_clock());
    if (made) return std::move(*made);
    ADD_FAILURE() << made.error().detail;
    std::abort();
  }

  static std::int64_t token_of(const Result<LeaseAttempt>& answer) {
    EXPECT_TRUE(answer) << answer.error().where << ": " << answer.error().detail;
    if (!answer || !std::holds_alternative<LeaseGranted>(*answer)) return 0;
    return std::get<LeaseGranted>(*answer).token.value();
  }

  std::unique_ptr<Store> store_ = make_memory_store(system_clock());
  std::unique_ptr<RedisServer> server_;
  RedisOptions options_;
};

Instant now() {
  return system_clock().now();
}

/// Whoever waits so long for the lock is told then, and not before, that it cannot be had.
void expect_unavailable_after(milliseconds wait, LockService& service) {
  AcquireRequest request;
  request.resource = resource;
  const Instant began_at = now();
  request.wait_until = began_at + wait;
  const auto outcome = service.acquire(std::move(request));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::unavailable);
  EXPECT_GE(now() - began_at, wait);
  EXPECT_LT(now() - began_at, milliseconds{5'000});
}

TEST_F(RedisFaults, a_server_that_hangs_costs_no_more_than_the_timeouts) {
  start();
  if (!server_) return;
  options_.command_timeout = milliseconds{200};
  const auto one = table();
  ASSERT_GT(token_of(one->acquire(resource, LockOwner{"a"}, ttl)), 0);
  server_->freeze();
  const Instant frozen_at = now();
  const auto renewed = one->renew(resource, LockOwner{"a"}, ttl);
  ASSERT_FALSE(renewed);
  EXPECT_EQ(renewed.error().code, Code::unknown) << "sent, not answered";
  EXPECT_GE(now() - frozen_at, milliseconds{200});
  EXPECT_LT(now() - frozen_at, milliseconds{5'000});
  server_->thaw();
  EXPECT_TRUE(eventually([&] {
    const auto again = one->renew(resource, LockOwner{"a"}, ttl);
    return again && *again;
  })) << "with a new connection";
}

TEST_F(RedisFaults, waiting_for_a_server_that_hangs_ends_with_the_deadline) {
  start();
  if (!server_) return;
  options_.connect_timeout = milliseconds{100};
  options_.command_timeout = milliseconds{100};
  const auto service = lock();
  server_->freeze();
  expect_unavailable_after(milliseconds{700}, *service);
}

TEST_F(RedisFaults, a_deadline_is_kept_where_the_servers_timeouts_are_longer) {
  start();
  if (!server_) return;
  options_.connect_timeout = std::chrono::seconds{30};
  options_.command_timeout = std::chrono::seconds{30};
  const auto service = lock();
  server_->freeze();
  expect_unavailable_after(milliseconds{300}, *service);
  server_->thaw();
  AcquireRequest again;
  again.resource = resource;
  again.wait_until = now() + std::chrono::seconds{20};
  const auto later = service->acquire(std::move(again));
  ASSERT_TRUE(later) << later.error().detail;
  EXPECT_TRUE(std::holds_alternative<Lease>(*later));
}

TEST_F(RedisFaults, a_reply_that_was_lost_is_had_again_with_the_same_token) {
  start();
  if (!server_) return;
  const auto before = table();
  ASSERT_GT(token_of(before->acquire(resource, LockOwner{"warm"}, ttl)), 0);
  ASSERT_TRUE(*before->release(resource, LockOwner{"warm"}));
  options_.command_timeout = milliseconds{200};
  const auto one = table();
  ASSERT_FALSE(*one->release(resource, LockOwner{"nobody"})) << "connects";
  server_->freeze();
  const auto lost = one->acquire(resource, LockOwner{"me"}, ttl);
  ASSERT_FALSE(lost) << "sent, not answered";
  EXPECT_EQ(lost.error().certainty, Certainty::unknown);
  const auto refused = one->acquire(resource, LockOwner{"me"}, ttl);
  ASSERT_FALSE(refused) << "not sent: the server is left alone";
  EXPECT_EQ(refused.error().certainty, Certainty::not_applied);
  server_->thaw();
  // Whoever else asks finds it held: it was carried out once, whoever lost the reply.
  EXPECT_TRUE(eventually([&] {
    const auto other = before->acquire(resource, LockOwner{"other"}, ttl);
    return other && std::holds_alternative<LeaseHeld>(*other);
  }));
  const std::string counter = *server_->ask({"KEYS", "*:counter"});
  const std::string minted = *server_->ask({"HGET", counter, "sequence"});
  std::int64_t first = 0;
  EXPECT_TRUE(eventually([&] {
    const auto again = one->acquire(resource, LockOwner{"me"}, ttl);
    if (again) first = token_of(again);
    return again.has_value();
  }));
  EXPECT_EQ(token_of(before->acquire(resource, LockOwner{"me"}, ttl)), first);
  EXPECT_EQ(*server_->ask({"HGET", counter, "sequence"}), minted) << "no token was minted again";
}

TEST_F(RedisFaults, a_server_that_is_away_is_left_alone_for_a_while) {
  start();
  if (!server_) return;
  options_.command_timeout = milliseconds{150};
  const auto one = table();
  ASSERT_GT(token_of(one->acquire(resource, LockOwner{"a"}, ttl)), 0);
  server_->freeze();
  ASSERT_FALSE(one->renew(resource, LockOwner{"a"}, ttl));
  // Four more failures push the pause up; after that most calls do not reach the server at all.
  int at_once = 0;
  for (int call = 0; call < 200; ++call) {
    const Instant sent = now();
    ASSERT_FALSE(one->renew(resource, LockOwner{"a"}, ttl));
    if (now() - sent < milliseconds{100}) ++at_once;
  }
  EXPECT_GT(at_once, 150);
  server_->thaw();
}

TEST_F(RedisFaults, a_restarted_server_costs_no_failed_call) {
  start({.append_only = true});
  if (!server_) return;
  const auto one = table();
  ASSERT_GT(token_of(one->acquire(resource, LockOwner{"a"}, ttl)), 0);
  server_->kill();
  ASSERT_TRUE(server_->start_again());
  EXPECT_TRUE(one->release(resource, LockOwner{"a"})) << "the closed connection is not used";
}

TEST_F(RedisFaults, a_release_wakes_who_waits_in_another_process) {
  start();
  if (!server_) return;
  const auto holder = table();
  const auto waiter = table();
  ASSERT_GT(token_of(holder->acquire(resource, LockOwner{"a"}, ttl)), 0);
  const auto refused = waiter->acquire(resource, LockOwner{"b"}, ttl);
  ASSERT_TRUE(refused && std::holds_alternative<LeaseHeld>(*refused));
  auto woken = std::async(std::launch::async, [&] {
    const Instant began_at = now();
    for (int subscribed = 0; subscribed < 2; ++subscribed) {
      waiter->wait_for_release(resource, milliseconds{20'000});  // The first: it has subscribed.
      if (subscribed == 0) {
        static_cast<void>(waiter->acquire(resource, LockOwner{"b"}, ttl));
        EXPECT_TRUE(*holder->release(resource, LockOwner{"a"}));
      }
    }
    return now() - began_at;
  });
  EXPECT_LT(woken.get(), milliseconds{10'000});
  EXPECT_GT(token_of(waiter->acquire(resource, LockOwner{"b"}, ttl)), 0);
}

TEST_F(RedisFaults, a_password_is_used_and_never_shown) {
  start({.settings = {{"requirepass", "the-right-one"}}});
  if (!server_) return;
  options_.password = "the-right-one";
  EXPECT_GT(token_of(table()->acquire(resource, LockOwner{"a"}, ttl)), 0);
  options_.password = "the-wrong-one";
  const auto refused = table()->acquire(resource, LockOwner{"b"}, ttl);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
  EXPECT_EQ(refused.error().retry, Retry::never);
  const std::string text = refused.error().where + refused.error().detail;
  EXPECT_EQ(text.find("the-wrong-one"), std::string::npos) << text;
  EXPECT_NE(text.find("WRONGPASS"), std::string::npos) << text;
  options_.password.clear();
  const auto unknown = table()->acquire(resource, LockOwner{"b"}, ttl);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::unavailable) << unknown.error().detail;
}

TEST_F(RedisFaults, keys_of_somebody_else_grant_nothing_and_break_nothing) {
  start();
  if (!server_) return;
  const auto one = table();
  ASSERT_GT(token_of(one->acquire(resource, LockOwner{"a"}, ttl)), 0);
  const std::string lease = *server_->ask({"KEYS", "*:lease:*"});
  ASSERT_TRUE(server_->ask({"SET", lease, "not ours"}));
  const auto held = one->acquire(resource, LockOwner{"b"}, ttl);
  ASSERT_TRUE(held && std::holds_alternative<LeaseHeld>(*held));
  EXPECT_FALSE(*one->release(resource, LockOwner{"a"}));
  EXPECT_FALSE(*one->renew(resource, LockOwner{"a"}, ttl));
  ASSERT_TRUE(server_->ask({"DEL", lease}));
  ASSERT_TRUE(server_->ask({"LPUSH", lease, "a list"}));
  EXPECT_FALSE(one->acquire(resource, LockOwner{"b"}, ttl));
}

TEST_F(RedisFaults, a_replica_refuses_and_is_told_apart) {
  start();
  if (!server_) return;
  auto replica = RedisServer::start(
      {.settings = {{"replicaof", "127.0.0.1 " + std::to_string(server_->port())}}});
  ASSERT_TRUE(replica);
  options_.addresses = {{"127.0.0.1", (*replica)->port()}};
  const auto refused = table()->acquire(resource, LockOwner{"a"}, ttl);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
  const auto findings = lock()->doctor();
  ASSERT_TRUE(findings);
  EXPECT_TRUE(std::any_of(findings->begin(), findings->end(), [](const Finding& finding) {
    return finding.level == Finding::Level::problem && finding.name.ends_with(" role");
  }));
}

TEST_F(RedisFaults, a_node_of_the_cluster_that_ends_takes_only_its_own_resources_along) {
  auto cluster = RedisCluster::start();
  if (!cluster) return skip_or_fail_redis(cluster.error());
  options_ = redis_at((*cluster)->nodes()[1]->port());
  options_.topology = RedisTopology::cluster;
  options_.connect_timeout = milliseconds{500};
  const auto one = table();
  int granted = 0;
  for (int number = 0; number < 40; ++number) {
    const Resource name{"resource/" + std::to_string(number)};
    if (token_of(one->acquire(name, LockOwner{"a"}, ttl)) > 0) ++granted;
  }
  EXPECT_EQ(granted, 40) << "over all three";
  (*cluster)->nodes()[1]->kill();
  int renewed = 0;
  for (int number = 0; number < 40; ++number) {
    const Resource name{"resource/" + std::to_string(number)};
    const auto answer = one->renew(name, LockOwner{"a"}, ttl);
    if (answer && *answer) ++renewed;
  }
  EXPECT_GT(renewed, 10);
  EXPECT_LT(renewed, 40);
}

// The doctor.

TEST_F(RedisFaults, the_doctor_names_what_loses_leases) {
  start({.settings = {{"maxmemory", "50mb"}, {"maxmemory-policy", "allkeys-lru"}}});
  if (!server_) return;
  auto findings = lock()->doctor();
  ASSERT_TRUE(findings);
  const auto level_of = [&](std::string_view name) -> std::optional<Finding::Level> {
    for (const Finding& finding : *findings) {
      if (std::string_view(finding.name).ends_with(name)) return finding.level;
    }
    return std::nullopt;
  };
  EXPECT_EQ(level_of("maxmemory-policy"), Finding::Level::problem);
  EXPECT_EQ(level_of("persistence"), Finding::Level::warning);
  EXPECT_EQ(level_of("role"), Finding::Level::ok);
  EXPECT_EQ(level_of("tokens"), Finding::Level::ok);

  ASSERT_TRUE(server_->ask({"CONFIG", "SET", "maxmemory-policy", "noeviction"}));
  ASSERT_TRUE(server_->ask({"CONFIG", "SET", "appendonly", "yes"}));
  auto without = make_redis_lock(options_, nullptr, system_clock());
  ASSERT_TRUE(without);
  findings = (*without)->doctor();
  ASSERT_TRUE(findings);
  EXPECT_EQ(level_of("maxmemory-policy"), Finding::Level::ok);
  EXPECT_EQ(level_of("persistence"), Finding::Level::ok);
  EXPECT_EQ(level_of("tokens"), Finding::Level::warning) << "no database orders them";
}

TEST_F(RedisFaults, a_lease_that_was_evicted_is_lost_and_not_made_again) {
  start();
  if (!server_) return;
  const auto one = table();
  const auto first = token_of(one->acquire(resource, LockOwner{"a"}, ttl));
  ASSERT_TRUE(server_->ask({"DEL", *server_->ask({"KEYS", "*:lease:*"})}));
  EXPECT_FALSE(*one->renew(resource, LockOwner{"a"}, ttl));
  ASSERT_TRUE(server_->ask({"DEL", *server_->ask({"KEYS", "*:counter"})}));
  EXPECT_GT(token_of(one->acquire(resource, LockOwner{"b"}, ttl)), first);
}

}  // namespace
}  // namespace mizan::conformance
