#include "http/allowed_hosts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan::http {
namespace {

TEST(AllowedHosts, are_addresses_names_without_a_dot_and_what_was_named) {
  const AllowedHosts hosts(std::vector<std::string>{"Shop.example"});
  for (const char* host : {"127.0.0.1",
                           "127.0.0.1:7780",
                           "192.0.2.1:80",
                           "[::1]",
                           "[::1]:7780",
                           "localhost",
                           "LocalHost:7780",
                           "localhost:",
                           "mizan",
                           "shop_1:7780",
                           "shop.example",
                           "SHOP.EXAMPLE:443"}) {
    EXPECT_TRUE(hosts.has(host)) << host;
  }
  for (const char* host : {"",
                           ":7780",
                           "evil.example",
                           "evil.example:7780",
                           "localhost.evil.example",
                           "127.0.0.1.evil.example",
                           "127.0.0.1:7780.evil.example",
                           "127.1",
                           "com.",
                           "[::1",
                           "[::1]evil.example",
                           "[localhost]",
                           "[evil.example]:7780",
                           "::1",
                           "x.shop.example",
                           "user@localhost",
                           "localhost, evil.example",
                           "localhost 7780"}) {
    EXPECT_FALSE(hosts.has(host)) << host;
  }
}

TEST(AllowedHosts, are_all_where_nothing_is_said) {
  EXPECT_TRUE(AllowedHosts(std::nullopt).has("evil.example"));
  EXPECT_FALSE(AllowedHosts(std::vector<std::string>{}).has("evil.example"));
}

TEST(AllowedHosts, a_name_is_no_address_with_a_port_and_no_pattern) {
  EXPECT_TRUE(is_host_name("mizan_1.shop-example.org"));
  for (const char* name : {"", "a:1", "*.example", "a b", "a/b", "[::1]"}) {
    EXPECT_FALSE(is_host_name(name)) << name;
  }
  EXPECT_FALSE(is_host_name(std::string(254, 'a')));
}

}  // namespace
}  // namespace mizan::http
