#include "base/backoff.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mizan {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr Instant start{std::chrono::seconds{100}};

TEST(Backoff, waits_within_a_bound_that_doubles_up_to_the_longest) {
  SeededRandom random(1);
  for (int round = 0; round < 200; ++round) {
    Backoff backoff(random, {.first = milliseconds{10}, .longest = milliseconds{50}});
    for (const int bound : {10, 20, 40, 50, 50}) {
      const std::optional<Instant> at = backoff.next(start, Deadline::max());
      ASSERT_TRUE(at.has_value());
      EXPECT_GE(*at, start);
      EXPECT_LT(*at, start + milliseconds{bound});
    }
  }
}

TEST(Backoff, uses_the_whole_width_of_the_bound) {
  SeededRandom random(2);
  nanoseconds shortest = nanoseconds::max();
  nanoseconds longest{0};
  for (int round = 0; round < 1000; ++round) {
    Backoff backoff(random, {.first = milliseconds{10}, .longest = milliseconds{10}});
    const nanoseconds wait = *backoff.next(start, Deadline::max()) - start;
    shortest = std::min(shortest, wait);
    longest = std::max(longest, wait);
  }
  EXPECT_LT(shortest, milliseconds{1});
  EXPECT_GT(longest, milliseconds{9});
}

TEST(Backoff, never_goes_past_the_deadline) {
  SeededRandom random(3);
  for (int round = 0; round < 200; ++round) {
    Backoff backoff(random, {.first = milliseconds{100}, .longest = milliseconds{100}});
    const std::optional<Instant> at = backoff.next(start, start + milliseconds{2});
    ASSERT_TRUE(at.has_value());
    EXPECT_LT(*at, start + milliseconds{2});
  }
}

TEST(Backoff, reaches_the_deadline_in_a_bounded_number_of_waits) {
  SeededRandom random(5);
  Backoff backoff(random, {.first = milliseconds{1}, .longest = milliseconds{1}});
  const Deadline deadline = start + milliseconds{10};
  Instant now = start;
  int waits = 0;
  while (const auto next = backoff.next(now, deadline)) {
    ASSERT_GT(*next, now);
    now = *next;
    ASSERT_LT(++waits, 10'000 / 50 + 1) << "each wait is at least 50 microseconds";
  }
}

TEST(Backoff, has_no_next_attempt_when_no_time_is_left) {
  SeededRandom random(4);
  Backoff backoff(random);
  EXPECT_FALSE(backoff.next(start, start).has_value());
  EXPECT_FALSE(backoff.next(start, start - nanoseconds{1}).has_value());
  EXPECT_FALSE(backoff.next(start, start + nanoseconds{1}).has_value());
  EXPECT_TRUE(backoff.next(start, start + milliseconds{1}).has_value());
}

}  // namespace
}  // namespace mizan
