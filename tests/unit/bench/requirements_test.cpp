#include "bench/requirements.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mizan::bench {
namespace {

Cell cell(std::string_view workload, std::size_t batch, std::size_t callers, double per_second) {
  Cell made;
  made.workload = std::string(workload);
  made.batch = batch;
  made.callers = callers;
  made.wallets = 10'000;
  made.per_second = per_second;
  made.transfers = 2'000'000;
  made.baseline = Comparison{"hand-written", 1'000};
  return made;
}

const Requirement& find(const std::vector<Requirement>& all, std::string_view what) {
  for (const Requirement& each : all) {
    if (each.what.find(what) != std::string::npos) return each;
  }
  ADD_FAILURE() << "no requirement about " << what;
  return all.front();
}

TEST(bench_requirements, nothing_measured_is_nothing_met) {
  for (const Requirement& each : judge({})) {
    EXPECT_FALSE(each.measured) << each.what;
    EXPECT_FALSE(each.is_met()) << each.what;
  }
}

TEST(bench_requirements, ratios_to_the_baseline_have_their_own_bounds) {
  const std::vector cells{cell("batch", 8'190, 1, 25'000),
                          cell("batch", 1'000, 1, 17'900),
                          cell("batch", 64, 1, 9'100),
                          cell("batch", 1, 1, 790),
                          cell("callers", 1, 64, 5'000),
                          cell("callers", 1, 256, 7'999)};
  const auto all = judge(cells);
  EXPECT_TRUE(find(all, "batches of 8190").is_met());
  EXPECT_FALSE(find(all, "batches of 1000").is_met());
  EXPECT_TRUE(find(all, "batches of 64").is_met());
  EXPECT_FALSE(find(all, "batches of 1:").is_met());
  EXPECT_TRUE(find(all, "64 callers").is_met());
  EXPECT_FALSE(find(all, "256 callers").is_met());
}

TEST(bench_requirements, hot_is_judged_by_its_worst_number_of_callers) {
  const std::vector cells{cell("hot:uniform", 1, 16, 1'000),
                          cell("hot:credit", 1, 16, 1'100),
                          cell("hot:debit", 1, 16, 950),
                          cell("hot:uniform", 1, 64, 2'000),
                          cell("hot:credit", 1, 64, 1'700),
                          cell("hot:debit", 1, 64, 2'400)};
  const auto all = judge(cells);
  EXPECT_DOUBLE_EQ(*find(all, "credits one wallet").measured, 0.85);
  EXPECT_FALSE(find(all, "credits one wallet").is_met());
  EXPECT_DOUBLE_EQ(*find(all, "debits one wallet").measured, 0.95);
  EXPECT_TRUE(find(all, "debits one wallet").is_met());
}

TEST(bench_requirements, growth_compares_with_the_empty_store_of_the_same_kind) {
  const std::vector cells{cell("growth:random:0", 1'000, 1, 9),
                          cell("growth:time-ordered:0", 1'000, 1, 1'000),
                          cell("growth:time-ordered:1000000", 1'000, 1, 10),
                          cell("growth:time-ordered:10000000", 1'000, 1, 810)};
  EXPECT_DOUBLE_EQ(*find(judge(cells), "10 million").measured, 0.81);
}

TEST(bench_requirements, bytes_are_an_upper_bound_and_need_enough_transfers) {
  Cell largest = cell("batch", 8'190, 1, 1);
  largest.bytes_per_transfer = 301;
  EXPECT_FALSE(find(judge(std::vector{largest}), "bytes").is_met());
  largest.bytes_per_transfer = 299;
  EXPECT_TRUE(find(judge(std::vector{largest}), "bytes").is_met());
  largest.transfers = 1'000;
  EXPECT_FALSE(find(judge(std::vector{largest}), "bytes").measured);
}

TEST(bench_requirements, a_disk_that_makes_ratios_worthless_is_told) {
  Cell slow = cell("batch", 64, 1, 1);
  EXPECT_EQ(find(judge(std::vector{slow}), "batches of 64").flaw, "");
  slow.floor = DiskWeather{14'000, 68};
  EXPECT_EQ(find(judge(std::vector{slow}), "batches of 64").flaw, "");
  slow.floor = DiskWeather{200, 4'000};
  EXPECT_EQ(find(judge(std::vector{slow}), "batches of 64").flaw, "throttled");
  slow.floor = DiskWeather{400'000, 1.5};
  EXPECT_EQ(find(judge(std::vector{slow}), "batches of 64").flaw, "not durable");
}

}  // namespace
}  // namespace mizan::bench
