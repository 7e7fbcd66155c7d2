#include "webhook/retry.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace mizan::webhook {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(WebhookRetry, waits_three_times_as_long_each_time_up_to_four_hours_for_about_a_day) {
  SeededRandom random(7);
  const RetryOptions options;
  milliseconds expected = seconds(5);
  milliseconds sum{0};
  for (std::uint32_t attempts = 1; attempts < options.attempts_max; ++attempts) {
    const milliseconds wait = retry_wait(options, attempts, random);
    EXPECT_GE(wait, expected * 8 / 10) << attempts;
    EXPECT_LE(wait, expected * 12 / 10) << attempts;
    sum += wait;
    expected = std::min<milliseconds>(expected * 3, std::chrono::hours(4));
  }
  EXPECT_GT(sum, std::chrono::hours(20));
  EXPECT_LT(sum, std::chrono::hours(30));
}

TEST(WebhookRetry, the_waits_of_two_receivers_differ) {
  SeededRandom random(7);
  const RetryOptions options;
  EXPECT_NE(retry_wait(options, 8, random), retry_wait(options, 8, random));
}

TEST(WebhookRetry, retry_after_is_seconds_or_a_date) {
  const Timestamp now = *parse_rfc3339("1994-11-06T08:49:07Z");
  EXPECT_EQ(read_retry_after("120", now), seconds(120));
  EXPECT_EQ(read_retry_after("0", now), seconds(0));
  EXPECT_EQ(read_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), seconds(30));
  EXPECT_EQ(read_retry_after("Sun, 06 Nov 1994 08:48:37 GMT", now), seconds(0)) << "it is past";
  EXPECT_EQ(read_retry_after("99999999", now), std::chrono::hours(24)) << "no longer than a day";
  EXPECT_EQ(read_retry_after("Sun, 06 Nov 2094 08:49:37 GMT", now), std::chrono::hours(24));
  for (const char* text :
       {"", "soon", "-1", "1.5", "Sun, 06 Nix 1994 08:49:37 GMT", "06 Nov 1994"}) {
    EXPECT_FALSE(read_retry_after(text, now)) << text;
  }
}

}  // namespace
}  // namespace mizan::webhook
