#include "bench/bench.hpp"

#include "bench/baseline/handwritten.hpp"
#include "bench/baseline/naive.hpp"
#include "bench/disk_probe.hpp"
#include "bench/load.hpp"
#include "bench/target.hpp"
#include "testkit/temp_dir.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mizan::bench {
namespace {

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run(const std::vector<std::string_view>& words) {
  Ran ran;
  Console console;
  console.out = [&ran](std::string_view text) { ran.out += text; };
  console.err = [&ran](std::string_view text) { ran.err += text; };
  ran.status = run_bench(words, console);
  return ran;
}

TEST(bench, help_and_usage_errors_need_no_run) {
  const Ran help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Usage: mizan bench"), std::string::npos);
  const Ran wrong = run({"htp"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.out, "");
  EXPECT_NE(wrong.err.find("no workload htp"), std::string::npos);
}

TEST(bench, a_directory_that_is_not_there_is_said_before_anything_is_measured) {
  const Ran ran = run({"batch", "--quick", "--dir", "/nonexistent/mizan"});
  EXPECT_EQ(ran.status, 5);
  EXPECT_NE(ran.err.find("--dir"), std::string::npos);
}

TEST(bench, a_small_run_prints_one_verified_object_per_step_and_leaves_no_file) {
  const testkit::TempDir directory;
  const std::string where = directory.path().string();
  const Ran ran = run({"batch",
                       "callers",
                       "--quick",
                       "--json",
                       "--wallets",
                       "20",
                       "--transfers",
                       "2000",
                       "--seconds",
                       "0.02",
                       "--dir",
                       where});
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_GT(json["per_second"], 0.0) << line;
    EXPECT_GT(json["baseline"]["per_second"], 0.0) << line;
    EXPECT_GT(json["floor"]["fdatasync_per_second"], 0.0) << line;
    ++count;
  }
  EXPECT_EQ(count, 6);  // Four batches, two numbers of callers.
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(bench, a_target_with_other_transfers_than_the_load_does_not_verify) {
  const testkit::TempDir directory;
  for (const StoreKind kind : {StoreKind::memory, StoreKind::sqlite}) {
    auto target = Target::make({kind, {}, directory.path(), 5, Strategy::batched});
    ASSERT_TRUE(target) << target.error().detail;
    TransferSource source((*target)->wallets(), {Pairing::uniform(5), IdOrder::random, 1});
    Limits limits;
    limits.transfers_max = 30;
    limits.seconds_max = 60;
    const auto result = run_batches((*target)->ledger(), source, 10, limits);
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->transfers, 30U);
    EXPECT_EQ(result->latency.count(), 3U);
    EXPECT_TRUE((*target)->verify(30));
    EXPECT_FALSE((*target)->verify(29));
  }
}

TEST(bench, latency_counts_from_the_schedule_so_that_one_stall_delays_all_behind_it) {
  // A caller that is to begin a call every millisecond and stalls once: the calls that could not
  // begin on time are late, although each of them takes no time.
  CallerLoad load;
  load.rate_per_second = 1'000;
  load.limits.seconds_max = 0.5;
  load.limits.transfers_max = 1'000'000;
  std::atomic<int> calls{0};
  const auto result = run_callers(load, [&](std::size_t) -> Caller {
    return [&calls]() -> Result<std::uint64_t> {
      if (++calls == 10) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      return std::uint64_t{0};
    };
  });
  ASSERT_TRUE(result);
  ASSERT_GT(result->latency.count(), 100U);
  // About 100 calls of 500 were late by up to 100 ms; their own time alone would show 1 in 500.
  EXPECT_GT(result->latency.at_share(0.95), std::uint64_t{10'000'000});
}

TEST(bench, an_error_of_one_caller_ends_the_load_with_it) {
  CallerLoad load;
  load.callers = 4;
  load.limits.seconds_max = 60;
  load.limits.transfers_max = 1'000'000'000;
  const auto result = run_callers(load, [](std::size_t number) -> Caller {
    return [number]() -> Result<std::uint64_t> {
      if (number == 2) return internal_error("test", "broken on purpose");
      return std::uint64_t{0};
    };
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().detail, "broken on purpose");
}

TEST(bench, callers_stop_at_the_number_of_transfers) {
  CallerLoad load;
  load.callers = 2;
  load.limits.seconds_max = 60;
  load.limits.transfers_max = 1'000;
  const auto result = run_callers(load, [](std::size_t) -> Caller {
    return []() -> Result<std::uint64_t> { return std::uint64_t{1}; };
  });
  ASSERT_TRUE(result);
  EXPECT_GE(result->transfers, 1'000U);
  EXPECT_GE(result->applied, result->transfers);
  EXPECT_GT(result->retries, 0U);
  EXPECT_LT(result->seconds, 30);
}

TEST(bench, the_baseline_keeps_its_books) {
  const testkit::TempDir directory;
  const auto wallets = wallet_names(10);
  auto baseline = Handwritten::make(directory.path() / "baseline.db", wallets);
  ASSERT_TRUE(baseline) << baseline.error().detail;
  const auto per_second = (*baseline)->measure(Pairing::uniform(10), 0.05);
  ASSERT_TRUE(per_second) << per_second.error().detail;
  EXPECT_GT(*per_second, 0);
  const auto microseconds = (*baseline)->measure_one(Pairing::uniform(10), 0.05);
  ASSERT_TRUE(microseconds) << microseconds.error().detail;
  EXPECT_GT(*microseconds, 0);
  EXPECT_TRUE((*baseline)->verify());
}

TEST(bench, the_naive_way_loses_money_under_contention) {
  const testkit::TempDir directory;
  const auto wallets = wallet_names(20);
  CallerLoad load;
  load.callers = 8;
  load.source.pairing = Pairing::debit_few(1, 20);
  load.limits.seconds_max = 30;
  load.limits.transfers_max = 500;
  const auto loss = run_naive(directory.path() / "naive.db", wallets, load);
  ASSERT_TRUE(loss) << loss.error().detail;
  EXPECT_GE(loss->transfers, 500U);
  EXPECT_GT(loss->wrong_wallets, 0U);
  EXPECT_GT(loss->amount, 0);
}

TEST(bench, a_lone_naive_caller_loses_nothing) {
  const testkit::TempDir directory;
  const auto wallets = wallet_names(20);
  CallerLoad load;
  load.source.pairing = Pairing::uniform(20);
  load.limits.seconds_max = 30;
  load.limits.transfers_max = 50;
  const auto loss = run_naive(directory.path() / "naive.db", wallets, load);
  ASSERT_TRUE(loss) << loss.error().detail;
  EXPECT_GE(loss->transfers, 50U);
  EXPECT_EQ(loss->wrong_wallets, 0U);
  EXPECT_EQ(loss->amount, 0);
}

TEST(bench, the_disk_probe_leaves_no_file) {
  const testkit::TempDir directory;
  const auto weather = probe_disk(directory.path(), 0.02);
  ASSERT_TRUE(weather) << weather.error().detail;
  EXPECT_GT(weather->fdatasync_per_second, 0);
  EXPECT_GT(weather->p50_us, 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  EXPECT_FALSE(probe_disk("/nonexistent/mizan", 0.02));
}

}  // namespace
}  // namespace mizan::bench
