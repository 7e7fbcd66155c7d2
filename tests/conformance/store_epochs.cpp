#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

// Epochs order the tokens of a lock service that lost its memory; see decision 0017. A store that
// keeps none answers null, and a Redis lock over it says what it cannot promise.

namespace mizan::conformance {
namespace {

constexpr const char* no_epochs = "this store keeps no epochs for locks outside of it";

TEST_P(StoreConformance, each_epoch_is_above_all_before_it) {
  if (store().epochs() == nullptr) GTEST_SKIP() << no_epochs;
  const std::int64_t first = must(store().epochs()->next_epoch(0));
  EXPECT_GT(first, 0);
  EXPECT_GT(must(store().epochs()->next_epoch(0)), first);
}

TEST_P(StoreConformance, an_epoch_is_above_the_one_that_was_seen) {
  if (store().epochs() == nullptr) GTEST_SKIP() << no_epochs;
  const std::int64_t seen = std::int64_t{1} << 40U;
  const std::int64_t drawn = must(store().epochs()->next_epoch(seen));
  EXPECT_GT(drawn, seen);
  EXPECT_GT(must(store().epochs()->next_epoch(0)), drawn) << "it is remembered";
}

TEST_P(StoreConformance, the_last_epoch_does_not_wrap) {
  if (store().epochs() == nullptr) GTEST_SKIP() << no_epochs;
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(store().epochs()->next_epoch(greatest)) << "nothing is above it";
  EXPECT_EQ(must(store().epochs()->next_epoch(greatest - 1)), greatest);
  EXPECT_FALSE(store().epochs()->next_epoch(0));
}

TEST_P(StoreConformance, epochs_survive_the_store) {
  if (store().epochs() == nullptr) GTEST_SKIP() << no_epochs;
  if (!GetParam().persistent) GTEST_SKIP() << "everything is gone with it";
  const std::int64_t before = must(store().epochs()->next_epoch(7));
  reopen();
  EXPECT_GT(must(store().epochs()->next_epoch(0)), before);
}

TEST_P(StoreConformance, no_epoch_is_drawn_twice_by_many_at_once) {
  if (store().epochs() == nullptr) GTEST_SKIP() << no_epochs;
  constexpr std::size_t threads = 4;
  constexpr int rounds = 8;
  std::vector<std::vector<std::int64_t>> drawn(threads);
  {
    std::vector<std::jthread> drawers;
    for (std::vector<std::int64_t>& mine : drawn) {
      drawers.emplace_back([&] {
        for (int round = 0; round < rounds; ++round) {
          const auto epoch = store().epochs()->next_epoch(0);
          if (epoch) mine.push_back(*epoch);
        }
      });
    }
  }
  std::vector<std::int64_t> all;
  for (const std::vector<std::int64_t>& mine : drawn) {
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  ASSERT_EQ(all.size(), threads * rounds) << "none failed";
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

}  // namespace
}  // namespace mizan::conformance
