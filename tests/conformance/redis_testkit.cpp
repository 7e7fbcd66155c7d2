#include "testkit/redis_server.hpp"
#include "tests/conformance/servers.hpp"

#include <gtest/gtest.h>

#include <string>

// The private servers that the tests of the Redis lock stand on.

namespace mizan::conformance {
namespace {

using testkit::RedisCluster;
using testkit::RedisSentinelGroup;
using testkit::RedisServer;

TEST(redis_testkit, a_server_without_persistence_forgets_at_a_restart) {
  auto server = RedisServer::start();
  if (!server) return skip_or_fail_redis(server.error());
  ASSERT_TRUE((*server)->ask({"SET", "key", "value"}));
  EXPECT_EQ(*(*server)->ask({"GET", "key"}), "value");
  (*server)->kill();
  EXPECT_FALSE((*server)->ask({"PING"}));
  ASSERT_TRUE((*server)->start_again());
  EXPECT_EQ(*(*server)->ask({"EXISTS", "key"}), "0");
}

TEST(redis_testkit, an_append_only_file_is_read_at_a_restart) {
  auto server = RedisServer::start({.append_only = true});
  if (!server) return skip_or_fail_redis(server.error());
  ASSERT_TRUE((*server)->ask({"SET", "key", "value"}));
  (*server)->kill();
  ASSERT_TRUE((*server)->start_again());
  EXPECT_EQ(*(*server)->ask({"GET", "key"}), "value");
}

TEST(redis_testkit, a_password_is_asked_for) {
  auto server = RedisServer::start({.settings = {{"requirepass", "secret"}}});
  if (!server) return skip_or_fail_redis(server.error());
  EXPECT_EQ(*(*server)->ask({"PING"}), "PONG");
}

TEST(redis_testkit, the_directory_goes_with_the_server) {
  std::filesystem::path directory;
  {
    auto server = RedisServer::start();
    if (!server) return skip_or_fail_redis(server.error());
    directory = (*server)->directory();
    EXPECT_TRUE(std::filesystem::exists(directory));
  }
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST(redis_testkit, a_sentinel_names_the_master_and_knows_the_replica) {
  auto group = RedisSentinelGroup::start();
  if (!group) return skip_or_fail_redis(group.error());
  EXPECT_EQ(*(*group)->master_port(), (*group)->first().port());
  EXPECT_TRUE((*group)->await_replica());
}

TEST(redis_testkit, a_cluster_answers_for_every_slot) {
  auto cluster = RedisCluster::start();
  if (!cluster) return skip_or_fail_redis(cluster.error());
  EXPECT_EQ((*cluster)->nodes().size(), 3U);
  EXPECT_NE((*cluster)->nodes()[0]->ask({"CLUSTER", "KEYSLOT", "x"})->size(), 0U);
}

}  // namespace
}  // namespace mizan::conformance
