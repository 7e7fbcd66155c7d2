#include "engine/gathering.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace mizan::engine {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant start{seconds(1)};

TEST(Gathering, waits_for_those_who_were_answered_a_quarter_of_what_the_batch_took) {
  Gathering gathering;
  gathering.expect(64, milliseconds(2), start);
  EXPECT_TRUE(gathering.begin(10, start));
  EXPECT_EQ(gathering.enough(), 64U);
  EXPECT_EQ(gathering.until(), start + microseconds(500));
}

TEST(Gathering, never_waits_longer_than_a_millisecond) {
  Gathering gathering;
  gathering.expect(64, seconds(10), start);
  EXPECT_EQ(gathering.until(), start + milliseconds(1));
}

TEST(Gathering, nobody_waits_where_all_are_there_or_few_or_it_is_too_late) {
  Gathering gathering;
  EXPECT_FALSE(gathering.begin(0, start)) << "before the first batch";
  gathering.expect(64, milliseconds(2), start);
  EXPECT_FALSE(gathering.begin(64, start));
  EXPECT_FALSE(gathering.begin(10, start + microseconds(500)));
  gathering.expect(3, milliseconds(2), start);
  EXPECT_FALSE(gathering.begin(1, start));
}

/// How many batches in turn do not wait.
int count_without(Gathering& gathering) {
  int count = 0;
  while (!gathering.begin(1, start)) ++count;
  return count;
}

TEST(Gathering, is_tried_less_often_each_time_that_it_was_in_vain) {
  Gathering gathering;
  gathering.expect(64, milliseconds(2), start);
  ASSERT_TRUE(gathering.begin(1, start));
  for (const int expected : {1, 3, 7, 15, 31, 63, 63}) {
    gathering.end(47);  // Less than three quarters of 64.
    EXPECT_EQ(count_without(gathering), expected);
  }
  gathering.end(48);
  EXPECT_EQ(count_without(gathering), 0);
}

}  // namespace
}  // namespace mizan::engine
