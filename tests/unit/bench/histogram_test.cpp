#include "bench/histogram.hpp"

#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace mizan::bench {
namespace {

constexpr double width = 1.0 / 64;

TEST(histogram, an_empty_one_answers_zero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.max(), 0U);
  EXPECT_EQ(histogram.at_share(0.5), 0U);
  EXPECT_EQ(histogram.at_share(1), 0U);
}

TEST(histogram, small_values_are_exact) {
  Histogram histogram;
  for (std::uint64_t value = 0; value < 100; ++value) histogram.record(value);
  EXPECT_EQ(histogram.at_share(0.01), 0U);
  EXPECT_EQ(histogram.at_share(0.5), 49U);
  EXPECT_EQ(histogram.at_share(0.99), 98U);
  EXPECT_EQ(histogram.at_share(1), 99U);
}

TEST(histogram, one_slow_call_of_a_thousand_shows_only_beyond_its_share) {
  Histogram histogram;
  for (int i = 0; i < 999; ++i) histogram.record(50);
  histogram.record(1'000'000);
  EXPECT_EQ(histogram.at_share(0.5), 50U);
  EXPECT_EQ(histogram.at_share(0.999), 50U);
  EXPECT_EQ(histogram.at_share(0.9991), 1'000'000U);
  EXPECT_EQ(histogram.max(), 1'000'000U);
}

TEST(histogram, a_percentile_is_never_too_low_and_at_most_a_step_too_high) {
  SeededRandom random(7);
  std::vector<std::uint64_t> values;
  Histogram histogram;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t value = random.next() >> random.below(64);
    values.push_back(value);
    histogram.record(value);
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    const auto exact = static_cast<double>(values[rank - 1]);
    const auto told = static_cast<double>(histogram.at_share(share));
    EXPECT_GE(told, exact) << share;
    EXPECT_LE(told, exact * (1 + width) + 1) << share;
  }
}

TEST(histogram, every_power_of_two_and_its_neighbours_are_kept_within_a_step) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t value : {power - 1, power, power + 1}) {
      Histogram histogram;
      histogram.record(value);
      histogram.record(std::numeric_limits<std::uint64_t>::max());
      const auto told = static_cast<double>(histogram.at_share(0.5));
      EXPECT_GE(told, static_cast<double>(value)) << value;
      EXPECT_LE(told, static_cast<double>(value) * (1 + width)) << value;
    }
  }
}

TEST(histogram, the_largest_value_there_is_can_be_recorded) {
  Histogram histogram;
  histogram.record(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(histogram.max(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(histogram.at_share(0.5), std::numeric_limits<std::uint64_t>::max());
}

TEST(histogram, a_percentile_never_exceeds_the_largest_value) {
  Histogram histogram;
  histogram.record(1'000'001);
  EXPECT_EQ(histogram.at_share(0.5), 1'000'001U);
}

TEST(histogram, adding_up_is_the_same_as_recording_in_one) {
  Histogram first;
  Histogram second;
  Histogram whole;
  SeededRandom random(11);
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t value = random.below(1'000'000'000);
    (i % 3 == 0 ? first : second).record(value);
    whole.record(value);
  }
  first.add(second);
  EXPECT_EQ(first.count(), whole.count());
  EXPECT_EQ(first.max(), whole.max());
  for (const double share : {0.1, 0.5, 0.9, 0.999}) {
    EXPECT_EQ(first.at_share(share), whole.at_share(share));
  }
}

}  // namespace
}  // namespace mizan::bench
