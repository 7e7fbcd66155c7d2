#include "lock/redis/look_up.hpp"

#include "testkit/eventually.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace mizan::redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::atomic<bool> hangs{false};
std::atomic<int> hanging{0};

/// Knows one answer for every name, and gives it when it is let.
int slow_resolver(const char* /*host*/, const char* port, const addrinfo* hints, addrinfo** found) {
  ++hanging;
  while (hangs) std::this_thread::sleep_for(milliseconds{1});
  --hanging;
  return ::getaddrinfo("127.0.0.1", port, hints, found);
}

int no_resolver(const char* /*host*/, const char*, const addrinfo*, addrinfo**) {
  return EAI_NONAME;
}

Deadline in(milliseconds time) {
  return system_clock().now() + time;
}

class LookUp : public ::testing::Test {
 protected:
  void SetUp() override { hangs = false; }

  void TearDown() override {
    hangs = false;
    EXPECT_TRUE(testkit::eventually([] { return hanging == 0; }));
  }
};

TEST_F(LookUp, finds_what_the_resolver_knows) {
  const auto found = look_up({"redis.example", 6379}, in(seconds{10}), slow_resolver);
  ASSERT_TRUE(found) << found.error().detail;
  EXPECT_EQ((*found)->ai_family, AF_INET);
}

TEST_F(LookUp, of_a_name_that_hangs_ends_at_the_deadline) {
  hangs = true;
  const Instant before = system_clock().now();
  const auto found = look_up({"redis.example", 6379}, in(milliseconds{50}), slow_resolver);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::unavailable);
  EXPECT_NE(found.error().detail.find("redis.example:6379: the look-up"), std::string::npos);
  EXPECT_GE(system_clock().now() - before, milliseconds{50});
  EXPECT_LT(system_clock().now() - before, seconds{5});
}

TEST_F(LookUp, of_an_address_asks_nobody) {
  hangs = true;
  EXPECT_TRUE(look_up({"127.0.0.1", 6379}, in(milliseconds{0}), slow_resolver));
  EXPECT_TRUE(look_up({"::1", 6379}, in(milliseconds{0}), slow_resolver));
  EXPECT_EQ(hanging, 0);
}

TEST_F(LookUp, says_what_the_resolver_says) {
  const auto found = look_up({"redis.example", 6379}, in(seconds{10}), no_resolver);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::unavailable);
  EXPECT_NE(found.error().detail.find(::gai_strerror(EAI_NONAME)), std::string::npos);
}

TEST_F(LookUp, leaves_no_more_than_some_threads_hanging) {
  hangs = true;
  // Threads of a test before this one may still be about to end.
  ASSERT_TRUE(testkit::eventually([] {
    EXPECT_FALSE(look_up({"redis.example", 6379}, in(milliseconds{1}), slow_resolver));
    return hanging == 16;
  }));
  const auto found = look_up({"redis.example", 6379}, in(seconds{10}), slow_resolver);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().detail.find("too many"), std::string::npos) << found.error().detail;
  hangs = false;
  EXPECT_TRUE(testkit::eventually([] {
    return look_up({"redis.example", 6379}, in(seconds{10}), slow_resolver).has_value();
  }));
}

}  // namespace
}  // namespace mizan::redis
