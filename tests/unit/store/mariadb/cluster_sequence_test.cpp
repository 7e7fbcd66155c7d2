#include "store/mariadb/cluster_sequence.hpp"

#include "testkit/builders.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <set>

namespace mizan::mariadb {
namespace {

constexpr Sequence none{0};

TEST(MariadbClusterSequence, grows_with_time) {
  SeededRandom random(1);
  Sequence last;
  for (int i = 0; i < 1'000; ++i) {
    const auto now = testkit::test_epoch() + std::chrono::microseconds(i);
    const auto next = cluster_sequence(now, none, random);
    ASSERT_TRUE(next);
    EXPECT_GT(*next, last);
    last = *next;
  }
}

TEST(MariadbClusterSequence, is_above_what_is_used_whatever_the_clock_says) {
  SeededRandom random(2);
  Sequence used;
  for (int i = 0; i < 1'000; ++i) {
    const auto back = testkit::test_epoch() - std::chrono::seconds(i);
    const auto next = cluster_sequence(back, used, random);
    ASSERT_TRUE(next);
    EXPECT_GT(*next, used);
    used = *next;
  }
  const auto long_ago = cluster_sequence(Timestamp(), used, random);
  ASSERT_TRUE(long_ago);
  EXPECT_GT(*long_ago, used);
}

TEST(MariadbClusterSequence, hardly_ever_is_the_same_for_two_of_one_moment) {
  SeededRandom random(3);
  std::set<Sequence> seen;
  for (int i = 0; i < 100; ++i) {
    seen.insert(cluster_sequence(testkit::test_epoch(), none, random).value());
  }
  EXPECT_GT(seen.size(), 90U);
}

TEST(MariadbClusterSequence, ends_before_a_transaction_would_not_fit) {
  SeededRandom random(4);
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(cluster_sequence(testkit::test_epoch(), Sequence{greatest}, random));
  EXPECT_FALSE(cluster_sequence(testkit::test_epoch(), Sequence{greatest - (1 << 20)}, random));
  const auto last = cluster_sequence(testkit::test_epoch(), Sequence{greatest - (1 << 21)}, random);
  ASSERT_TRUE(last);
  EXPECT_LE(last->value(), greatest - (1 << 20));
}

}  // namespace
}  // namespace mizan::mariadb
