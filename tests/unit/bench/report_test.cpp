#include "bench/report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace mizan::bench {
namespace {

Cell full_cell() {
  Cell cell;
  cell.workload = "batch";
  cell.step = "batch 64";
  cell.store = "sqlite";
  cell.strategy = Strategy::batched;
  cell.batch = 64;
  cell.wallets = 10'000;
  cell.transfers = 400'000;
  cell.seconds = 5;
  cell.per_second = 80'000;
  cell.latency_us = {700, 900, 1'200, 4'000};
  cell.bytes_per_transfer = 174.4;
  cell.durability = "wal, synchronous=FULL";
  cell.baseline = Comparison{"hand-written", 8'000, 350};
  cell.floor = DiskWeather{14'000, 68};
  return cell;
}

std::set<std::string> keys_of(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& item : object.items()) keys.insert(item.key());
  return keys;
}

TEST(bench_report, a_line_of_json_has_exactly_the_fields_of_the_manual) {
  const auto json = nlohmann::json::parse(to_json(full_cell()));
  EXPECT_EQ(keys_of(json),
            (std::set<std::string>{"workload",
                                   "store",
                                   "strategy",
                                   "batch",
                                   "callers",
                                   "wallets",
                                   "transfers",
                                   "seconds",
                                   "per_second",
                                   "latency_us",
                                   "bytes_per_transfer",
                                   "durability",
                                   "baseline",
                                   "ratio",
                                   "latency_ratio",
                                   "floor"}));
  EXPECT_EQ(keys_of(json["latency_us"]), (std::set<std::string>{"p50", "p99", "p999", "max"}));
  EXPECT_EQ(keys_of(json["baseline"]),
            (std::set<std::string>{"what", "per_second", "one_caller_p50_us"}));
  EXPECT_EQ(keys_of(json["floor"]), std::set<std::string>{"fdatasync_per_second"});
  EXPECT_EQ(json["strategy"], "batched");
  EXPECT_EQ(json["per_second"], 80'000.0);
  EXPECT_EQ(json["ratio"], 10.0);
  EXPECT_EQ(json["latency_us"]["p999"], 1'200.0);
  EXPECT_EQ(json["floor"]["fdatasync_per_second"], 14'000.0);
}

TEST(bench_report, what_was_not_measured_is_null) {
  const auto json = nlohmann::json::parse(to_json(Cell{}));
  EXPECT_EQ(keys_of(json).size(), 16U);
  for (const char* key : {"strategy", "bytes_per_transfer", "baseline", "ratio", "floor"}) {
    EXPECT_TRUE(json[key].is_null()) << key;
  }
}

TEST(bench_report, one_caller_is_held_against_one_caller_of_the_baseline) {
  Cell cell = full_cell();
  EXPECT_TRUE(nlohmann::json::parse(to_json(cell))["latency_ratio"].is_null());
  EXPECT_EQ(table_row(cell).find("by hand"), std::string::npos);
  cell.batch = 1;
  EXPECT_EQ(nlohmann::json::parse(to_json(cell))["latency_ratio"], 2.0);
  EXPECT_NE(table_row(cell).find("one by hand: p50 350.0 µs, so 2.00 times its latency"),
            std::string::npos);
  cell.callers = 4;
  EXPECT_TRUE(nlohmann::json::parse(to_json(cell))["latency_ratio"].is_null());
}

TEST(bench_report, a_throttled_disk_is_flagged_beside_the_figure) {
  Cell cell = full_cell();
  EXPECT_EQ(table_row(cell).find("throttled"), std::string::npos);
  cell.floor = DiskWeather{240, 4'100};
  EXPECT_NE(table_row(cell).find("240/s, p50 4.10 ms (throttled)"), std::string::npos);
}

TEST(bench_report, numbers_are_grouped_and_durations_have_units) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1'000), "1,000");
  EXPECT_EQ(group_digits(1'234'567), "1,234,567");
  EXPECT_EQ(format_microseconds(68), "68.0 µs");
  EXPECT_EQ(format_microseconds(4'120), "4.12 ms");
  EXPECT_EQ(format_microseconds(1'500'000), "1.50 s");
}

struct Spoken {
  std::string out;
  std::string err;
};

Console console_into(Spoken& spoken, bool progress) {
  Console console;
  console.out = [&spoken](std::string_view text) { spoken.out += text; };
  console.err = [&spoken](std::string_view text) { spoken.err += text; };
  console.progress = progress;
  return console;
}

TEST(bench_report, json_on_stdout_is_only_json) {
  Spoken spoken;
  const Console console = console_into(spoken, false);
  Report report(console, true);
  report.begin("batch");
  report.progress("measuring");
  report.add(full_cell());
  report.note("a remark");
  report.conclude();
  EXPECT_EQ(spoken.out, to_json(full_cell()) + "\n");
  EXPECT_EQ(spoken.err, "  a remark\n");
}

TEST(bench_report, progress_is_drawn_on_a_terminal_only) {
  Spoken quiet;
  const Console no_terminal = console_into(quiet, false);
  Report(no_terminal, false).progress("measuring");
  EXPECT_EQ(quiet.err, "");
  Spoken drawn;
  const Console terminal = console_into(drawn, true);
  Report(terminal, false).progress("measuring");
  EXPECT_NE(drawn.err.find("measuring"), std::string::npos);
}

TEST(bench_report, the_requirements_say_met_not_met_or_not_measured) {
  Requirement met{"fast", Bound::at_least, 25, 30.5, {}};
  Requirement missed{"small", Bound::at_most, 300, 301, {}};
  Requirement throttled{"held back", Bound::at_least, 9, 120, "throttled"};
  Requirement open{"grown", Bound::at_least, 0.8, std::nullopt, {}};
  const std::string table = requirements_table(std::vector{met, missed, throttled, open});
  EXPECT_NE(table.find("30.50  met\n"), std::string::npos) << table;
  EXPECT_NE(table.find("301.00  not met\n"), std::string::npos) << table;
  EXPECT_NE(table.find("120.00  no verdict: the disk was throttled\n"), std::string::npos) << table;
  EXPECT_NE(table.find("not measured\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace mizan::bench
