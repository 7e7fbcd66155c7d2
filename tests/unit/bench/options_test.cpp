#include "bench/options.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace mizan::bench {
namespace {

Options parse(const std::vector<std::string_view>& words) {
  auto options = parse_options(words);
  EXPECT_TRUE(options) << options.error().detail;
  return options ? *options : Options{};
}

void expect_refused(const std::vector<std::string_view>& words, std::string_view about) {
  const auto options = parse_options(words);
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().code, Code::invalid_request);
  EXPECT_NE(options.error().detail.find(about), std::string::npos) << options.error().detail;
}

TEST(bench_options, without_words_everything_but_growth_is_measured_on_sqlite) {
  const Options options = parse({});
  EXPECT_EQ(options.store, StoreKind::sqlite);
  EXPECT_EQ(options.workloads,
            (std::vector{Workload::batch,
                         Workload::callers,
                         Workload::hot,
                         Workload::strategies,
                         Workload::lock}));
  const Sizes sizes = sizes_of(options);
  EXPECT_EQ(sizes.batches, (std::vector<std::size_t>{1, 64, 1'000, 8'190}));
  EXPECT_EQ(sizes.callers, (std::vector<std::size_t>{1, 4, 16, 64, 256, 1'024}));
  EXPECT_EQ(sizes.wallets, 10'000U);
  EXPECT_EQ(sizes.batch_transfers, 2'000'000U);
}

TEST(bench_options, quick_alone_tries_every_workload) {
  EXPECT_EQ(parse({"--quick"}).workloads.size(), 7U);
  // The server is measured over a file.
  EXPECT_EQ(parse({"--quick", "--store", "memory:"}).workloads.size(), 6U);
  EXPECT_EQ(parse({"--quick", "hot"}).workloads, std::vector{Workload::hot});
}

TEST(bench_options, named_workloads_run_in_their_order_and_once) {
  EXPECT_EQ(parse({"lock", "batch", "lock"}).workloads,
            (std::vector{Workload::lock, Workload::batch}));
  EXPECT_EQ(parse({"--strategies"}).workloads, std::vector{Workload::strategies});
}

TEST(bench_options, values_stand_after_the_option_or_behind_an_equals_sign) {
  const Options options = parse({"--transfers",
                                 "5000",
                                 "--wallets=12",
                                 "--seconds",
                                 "2.5",
                                 "--store=memory:",
                                 "--dir",
                                 "/data",
                                 "--rate",
                                 "100",
                                 "--json"});
  EXPECT_EQ(options.transfers, 5'000U);
  EXPECT_EQ(options.wallets, 12U);
  EXPECT_EQ(options.seconds, 2.5);
  EXPECT_EQ(options.store, StoreKind::memory);
  EXPECT_EQ(options.directory, "/data");
  EXPECT_EQ(options.rate_per_second, 100);
  EXPECT_TRUE(options.json);
}

TEST(bench_options, a_server_is_known_by_its_url) {
  for (const char* url : {"postgres://h/d", "postgresql://h/d"}) {
    EXPECT_EQ(parse({"--store", url}).store, StoreKind::postgres) << url;
    EXPECT_EQ(parse({"--store", url}).url, url);
  }
  for (const char* url : {"mariadb://h/d", "mysql://h/d"}) {
    EXPECT_EQ(parse({"--store", url}).store, StoreKind::mariadb) << url;
    EXPECT_EQ(parse({"--store", url}).url, url);
  }
}

TEST(bench_options, what_cannot_be_understood_is_named) {
  expect_refused({"speed"}, "speed");
  expect_refused({"--fast"}, "--fast");
  expect_refused({"--wallets"}, "--wallets");
  expect_refused({"--wallets", "1"}, "--wallets");
  expect_refused({"--wallets", "99999999999999999999"}, "--wallets");
  expect_refused({"--transfers", "-1"}, "--transfers");
  expect_refused({"--transfers", "0"}, "--transfers");
  expect_refused({"--seconds", "nan"}, "--seconds");
  expect_refused({"--seconds", "0"}, "--seconds");
  expect_refused({"--seconds", "1s"}, "--seconds");
  expect_refused({"--store", "oracle://x"}, "--store");
  expect_refused({"--dir", ""}, "--dir");
}

TEST(bench_options, steps_replace_the_usual_numbers) {
  const Sizes sizes = sizes_of(parse({"callers", "--steps", "1,64,256"}));
  EXPECT_EQ(sizes.callers, (std::vector<std::size_t>{1, 64, 256}));
  EXPECT_EQ(sizes.batches, sizes.callers);
  EXPECT_EQ(sizes_of(parse({"--steps=8190"})).batches, std::vector<std::size_t>{8'190});
  for (const char* text : {"", "0", "8191", "1,", ",1", "1;2", "-1"}) {
    expect_refused({"--steps", text}, "--steps");
  }
}

TEST(bench_options, sizes_follow_the_options) {
  const Sizes sizes = sizes_of(parse({"--wallets", "50", "--transfers", "1000", "--seconds", "1"}));
  EXPECT_EQ(sizes.wallets, 50U);
  EXPECT_EQ(sizes.growth_wallets, std::vector<std::size_t>{50});
  EXPECT_EQ(sizes.strategy_sources, (std::vector<std::size_t>{50, 10, 1}));
  EXPECT_EQ(sizes.batch_transfers, 1'000U);
  EXPECT_EQ(sizes.growth_points, (std::vector<std::uint64_t>{0, 100, 1'000}));
  EXPECT_EQ(sizes.callers_seconds, 1);
  EXPECT_EQ(sizes.batch_seconds, 1);
}

}  // namespace
}  // namespace mizan::bench
