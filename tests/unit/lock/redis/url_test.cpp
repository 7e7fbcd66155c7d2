#include "mizan/redis.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mizan {
namespace {

RedisOptions read(std::string_view url) {
  auto options = parse_redis_url(url);
  EXPECT_TRUE(options) << url << ": " << options.error().detail;
  return options ? *options : RedisOptions{};
}

TEST(RedisUrl, a_host_is_enough) {
  const RedisOptions options = read("redis://localhost");
  EXPECT_EQ(options.topology, RedisTopology::single);
  ASSERT_EQ(options.addresses.size(), 1U);
  EXPECT_EQ(options.addresses[0].host, "localhost");
  EXPECT_EQ(options.addresses[0].port, 6'379);
  EXPECT_EQ(options.database, 0U);
  EXPECT_EQ(options.prefix, "mizan");
  EXPECT_TRUE(options.user.empty() && options.password.empty());
}

TEST(RedisUrl, everything_can_be_stated) {
  const RedisOptions options = read(
      "valkey://me:p%40ss%3aword@[::1]:7000/3?prefix=shop-1&connect_timeout=500ms"
      "&command_timeout=2s");
  EXPECT_EQ(options.user, "me");
  EXPECT_EQ(options.password, "p@ss:word");
  EXPECT_EQ(options.addresses[0].host, "::1");
  EXPECT_EQ(options.addresses[0].port, 7'000);
  EXPECT_EQ(options.database, 3U);
  EXPECT_EQ(options.prefix, "shop-1");
  EXPECT_EQ(options.connect_timeout, std::chrono::milliseconds{500});
  EXPECT_EQ(options.command_timeout, std::chrono::milliseconds{2'000});
}

TEST(RedisUrl, a_password_may_hold_what_separates_elsewhere) {
  const RedisOptions options = read("redis://:a/b?c@d:e@host");
  EXPECT_TRUE(options.user.empty());
  EXPECT_EQ(options.password, "a/b?c@d:e");
  EXPECT_EQ(options.addresses[0].host, "host");
}

TEST(RedisUrl, sentinels_name_a_master) {
  const RedisOptions options = read("redis+sentinel://:secret@one,two:26380/mymaster/2");
  EXPECT_EQ(options.topology, RedisTopology::sentinel);
  ASSERT_EQ(options.addresses.size(), 2U);
  EXPECT_EQ(options.addresses[0].port, 26'379);
  EXPECT_EQ(options.addresses[1].host, "two");
  EXPECT_EQ(options.addresses[1].port, 26'380);
  EXPECT_EQ(options.sentinel_master, "mymaster");
  EXPECT_EQ(options.database, 2U);
}

TEST(RedisUrl, a_cluster_is_named_by_some_of_its_nodes) {
  const RedisOptions options = read("redis+cluster://one:7001,two:7002");
  EXPECT_EQ(options.topology, RedisTopology::cluster);
  EXPECT_EQ(options.addresses.size(), 2U);
}

TEST(RedisUrl, an_s_means_tls) {
  const RedisOptions options = read("rediss://host?ca_file=/etc/a%20b.pem&cert_file=c&key_file=k");
  EXPECT_TRUE(options.tls);
  EXPECT_EQ(options.tls_ca_file, "/etc/a b.pem");
  EXPECT_EQ(options.tls_cert_file, "c");
  EXPECT_EQ(options.tls_key_file, "k");
  EXPECT_TRUE(read("valkeys+cluster://host").tls);
  EXPECT_EQ(read("rediss+sentinel://host/m").topology, RedisTopology::sentinel);
  EXPECT_FALSE(read("redis://host").tls);
}

TEST(RedisUrl, what_is_wrong_is_named_and_secrets_are_not) {
  struct Wrong {
    std::string url;
    std::string says;
  };

  const std::vector<Wrong> all = {
      {"http://localhost", "redis://"},
      {"redis:host", "redis://"},
      {"redisx://host", "scheme"},
      {"redis+clusters://host", "scheme"},
      {"redis+tls://host", "scheme"},
      {"redis://", "host"},
      {"redis://:hidden@", "host"},
      {"redis://user-without@host", "password"},
      {"redis://:hidden@host:", "port"},
      {"redis://:hidden@host:0", "port"},
      {"redis://:hidden@host:65536", "port"},
      {"redis://:hidden@host:x", "port"},
      {"redis://:hidden@[::1", "]"},
      {"redis://:hid%zzden@host", "%25"},
      {"redis://:hidden@host/x", "database"},
      {"redis://:hidden@host/-1", "database"},
      {"redis://:hidden@one,two", "several"},
      {"redis://:hidden@host?prefix=", "prefix"},
      {"redis://:hidden@host?prefix={x}", "prefix"},
      {"redis://:hidden@host?password=hidden", "parameters"},
      {"redis://:hidden@host?connect_timeout=never", "connect_timeout"},
      {"redis://:hidden@host?command_timeout=2m", "60s"},
      {"redis+sentinel://:hidden@host", "master"},
      {"redis+cluster://:hidden@host/1", "cluster"},
      {"redis://:hidden@host?ca_file=a.pem", "rediss"},
      {"rediss://:hidden@host?cert_file=a.pem", "key_file"},
  };
  for (const Wrong& wrong : all) {
    const auto options = parse_redis_url(wrong.url);
    ASSERT_FALSE(options) << wrong.url;
    EXPECT_EQ(options.error().code, Code::invalid_request) << wrong.url;
    EXPECT_NE(options.error().detail.find(wrong.says), std::string::npos)
        << wrong.url << ": " << options.error().detail;
    EXPECT_EQ(options.error().detail.find("hid"), std::string::npos) << options.error().detail;
  }
}

}  // namespace
}  // namespace mizan
