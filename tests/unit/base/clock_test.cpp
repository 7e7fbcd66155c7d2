#include "mizan/clock.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mizan {
namespace {

using std::chrono::microseconds;

Timestamp at(std::int64_t microseconds_since_1970) {
  return Timestamp{microseconds{microseconds_since_1970}};
}

TEST(Rfc3339, writes_utc_with_microseconds) {
  EXPECT_EQ(to_rfc3339(at(0)), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(to_rfc3339(at(-1)), "1969-12-31T23:59:59.999999Z");
  // 1772366400 is `date -u -d 2026-03-01T12:00 +%s`.
  EXPECT_EQ(to_rfc3339(at(1'772'366'400'000'001)), "2026-03-01T12:00:00.000001Z");
}

TEST(Rfc3339, reads_what_it_writes) {
  for (const std::int64_t time :
       {0LL, -1LL, 1LL, 1'772'366'400'123'456LL, -62'000'000'000'000'000LL}) {
    EXPECT_EQ(parse_rfc3339(to_rfc3339(at(time))), at(time));
  }
}

TEST(Rfc3339, reads_offsets_decimals_and_plain_dates) {
  const Timestamp noon = at(1'772'366'400'000'000);
  for (const char* text : {"2026-03-01T12:00:00Z",
                           "2026-03-01t12:00:00z",
                           "2026-03-01 12:00:00Z",
                           "2026-03-01T12:00:00.0Z",
                           "2026-03-01T12:00:00.000000999Z",
                           "2026-03-01T14:00:00+02:00",
                           "2026-03-01T06:30:00-05:30",
                           "2026-03-02T11:59:00+23:59",
                           "2026-03-01T12:00:00-00:00"}) {
    EXPECT_EQ(parse_rfc3339(text), noon) << text;
  }
  EXPECT_EQ(parse_rfc3339("2026-03-01T12:00:00.5Z"), noon + microseconds{500'000});
  EXPECT_EQ(parse_rfc3339("2026-03-01T12:00:00.123456789Z"), noon + microseconds{123'456});
  EXPECT_EQ(parse_rfc3339("2026-03-01"), noon - std::chrono::hours{12});
  EXPECT_TRUE(parse_rfc3339("2024-02-29").has_value());
}

TEST(Rfc3339, refuses_everything_else) {
  const std::vector<std::string> texts = {
      "",
      "2026",
      "2026-3-1",
      "2026-02-30",
      "2025-02-29",
      "2026-00-10",
      "2026-13-10",
      "2026-01-00",
      "2026-01-32",
      "2026-03-01T",
      "2026-03-01T12:00Z",
      "2026-03-01T12:00:00",
      "2026-03-01T24:00:00Z",
      "2026-03-01T12:60:00Z",
      "2026-03-01T12:00:60Z",
      "2026-03-01T12:00:00.Z",
      "2026-03-01T12:00:00.1234567890Z",
      "2026-03-01T12:00:00,5Z",
      "2026-03-01T12:00:00+24:00",
      "2026-03-01T12:00:00+0200",
      "2026-03-01T12:00:00+02:60",
      "2026-03-01T12:00:00ZZ",
      "2026-03-01T12:00:00Z ",
      " 2026-03-01",
      "+2026-03-01",
      "-026-03-01",
      "2026-03-01X12:00:00Z",
      "2026/03/01",
      "12026-03-01",
      "2026-03-01T1a:00:00Z",
      std::string("2026-03-01\0", 11),
  };
  for (const std::string& text : texts) EXPECT_FALSE(parse_rfc3339(text).has_value()) << text;
}

TEST(SystemClock, sleeps_until_the_instant_and_no_less) {
  const Clock& clock = system_clock();
  const Instant until = clock.now() + std::chrono::milliseconds{5};
  clock.sleep_until(until);
  EXPECT_GE(clock.now(), until);
}

TEST(SystemClock, does_not_sleep_for_an_instant_that_has_passed) {
  const Clock& clock = system_clock();
  clock.sleep_until(Instant{});
  clock.sleep_until(Instant::min());
  clock.sleep_until(clock.now() - std::chrono::hours{1});
}

TEST(SystemClock, tells_the_time_of_day) {
  EXPECT_GT(system_clock().wall_now(), *parse_rfc3339("2026-01-01"));
}

}  // namespace
}  // namespace mizan
