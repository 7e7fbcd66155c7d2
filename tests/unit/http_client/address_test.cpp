#include "http_client/address.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <array>

namespace mizan::http_client {
namespace {

bool is_public(const char* text) {
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET, text, bytes.data()) == 1) return is_public_address({bytes.data(), 4});
  EXPECT_EQ(inet_pton(AF_INET6, text, bytes.data()), 1) << text;
  return is_public_address(bytes);
}

TEST(HttpClientAddress, of_the_internet_are_public) {
  for (const char* text : {"1.1.1.1",
                           "8.8.8.8",
                           "100.63.255.255",
                           "100.128.0.0",
                           "172.15.255.255",
                           "172.32.0.0",
                           "192.167.255.255",
                           "198.17.255.255",
                           "198.20.0.0",
                           "223.255.255.255",
                           "2606:4700:4700::1111",
                           "2a00:1450:4001::1",
                           "::ffff:8.8.8.8",
                           "64:ff9b::8.8.8.8"}) {
    EXPECT_TRUE(is_public(text)) << text;
  }
}

TEST(HttpClientAddress, of_this_machine_and_of_inner_networks_are_not) {
  for (const char* text : {"0.0.0.0",
                           "10.1.2.3",
                           "100.64.0.1",
                           "127.0.0.1",
                           "127.255.255.254",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.0.0.8",
                           "192.168.1.1",
                           "198.18.0.1",
                           "224.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "::ffff:127.0.0.1",
                           "::ffff:10.0.0.1",
                           "64:ff9b::169.254.169.254",
                           "64:ff9b:1::8.8.8.8",
                           "64:ff9b:1:a9fe:a9:fe00:808:808",
                           "2002:7f00:1::",
                           "2001::1",
                           "2001:db8::1",
                           "fc00::1",
                           "fd12:3456::1",
                           "fe80::1",
                           "ff02::1"}) {
    EXPECT_FALSE(is_public(text)) << text;
  }
  EXPECT_FALSE(is_public_address({}));
}

}  // namespace
}  // namespace mizan::http_client
