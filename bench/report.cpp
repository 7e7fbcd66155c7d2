#include "bench/report.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace mizan::bench {

namespace {

std::string text_or_null(std::string_view text) {
  if (text.empty()) return "null";
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string number_or_null(std::optional<double> number) {
  if (!number || !std::isfinite(*number)) return "null";
  return fmt::format("{:.3f}", *number);
}

std::string group_rounded(double number) {
  return group_digits(static_cast<std::uint64_t>(std::llround(std::max(number, 0.0))));
}

std::string baseline_json(const std::optional<Comparison>& baseline) {
  if (!baseline) return "null";
  return fmt::format(R"({{"what":{},"per_second":{},"one_caller_p50_us":{}}})",
                     text_or_null(baseline->what),
                     number_or_null(baseline->per_second),
                     number_or_null(baseline->one_caller_p50_us));
}

std::string floor_json(const std::optional<DiskWeather>& floor) {
  if (!floor) return "null";
  return fmt::format(R"({{"fdatasync_per_second":{}}})",
                     number_or_null(floor->fdatasync_per_second));
}

std::string flaw_text(std::string_view flaw) {
  return flaw.empty() ? "" : fmt::format(" ({})", flaw);
}

std::string floor_text(const std::optional<DiskWeather>& floor) {
  if (!floor) return "-";
  return fmt::format("{}/s, p50 {}{}",
                     group_rounded(floor->fdatasync_per_second),
                     format_microseconds(floor->p50_us),
                     flaw_text(floor->flaw()));
}

/// A batch waits for the disk once and the baseline once per transfer: while the disk is held back
/// their ratio measures the disk.
std::string verdict_on(const Requirement& requirement) {
  if (!requirement.measured) return "not measured";
  if (!requirement.flaw.empty()) return "no verdict: the disk was " + requirement.flaw;
  return requirement.is_met() ? "met" : "not met";
}

}  // namespace

std::string group_digits(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string format_microseconds(double microseconds) {
  if (microseconds < 1'000) return fmt::format("{:.1f} µs", microseconds);
  if (microseconds < 1'000'000) return fmt::format("{:.2f} ms", microseconds / 1'000);
  return fmt::format("{:.2f} s", microseconds / 1'000'000);
}

std::string to_json(const Cell& cell) {
  const std::string strategy = cell.strategy ? std::string(to_string(*cell.strategy)) : "";
  std::string json =
      fmt::format(R"({{"workload":{},"store":{},"strategy":{},"batch":{},"callers":{},"wallets":{})"
                  R"(,"transfers":{},"seconds":{},"per_second":{})",
                  text_or_null(cell.workload),
                  text_or_null(cell.store),
                  text_or_null(strategy),
                  cell.batch,
                  cell.callers,
                  cell.wallets,
                  cell.transfers,
                  number_or_null(cell.seconds),
                  number_or_null(cell.per_second));
  json += fmt::format(R"(,"latency_us":{{"p50":{},"p99":{},"p999":{},"max":{}}})",
                      number_or_null(cell.latency_us.p50),
                      number_or_null(cell.latency_us.p99),
                      number_or_null(cell.latency_us.p999),
                      number_or_null(cell.latency_us.max));
  json += fmt::format(R"(,"bytes_per_transfer":{},"durability":{},"baseline":{},"ratio":{})"
                      R"(,"latency_ratio":{},"floor":{}}})",
                      number_or_null(cell.bytes_per_transfer),
                      text_or_null(cell.durability),
                      baseline_json(cell.baseline),
                      number_or_null(cell.ratio()),
                      number_or_null(cell.latency_ratio()),
                      floor_json(cell.floor));
  return json;
}

std::string table_head() {
  return fmt::format("  {:<28}{:>11}{:>11}{:>8}{:>11}{:>11}{:>11}{:>11}{:>8}  {}\n",
                     "",
                     "per second",
                     "baseline",
                     "ratio",
                     "p50",
                     "p99",
                     "p99.9",
                     "max",
                     "bytes",
                     "fdatasync of 8 kB");
}

std::string table_row(const Cell& cell) {
  const auto ratio = cell.ratio();
  std::string row =
      fmt::format("  {:<28}{:>11}{:>11}{:>8}{:>11}{:>11}{:>11}{:>11}{:>8}  {}",
                  cell.step,
                  group_rounded(cell.per_second),
                  cell.baseline ? group_rounded(cell.baseline->per_second) : "-",
                  ratio ? fmt::format("{:.2f}", *ratio) : "-",
                  format_microseconds(cell.latency_us.p50),
                  format_microseconds(cell.latency_us.p99),
                  format_microseconds(cell.latency_us.p999),
                  format_microseconds(cell.latency_us.max),
                  cell.bytes_per_transfer ? group_rounded(*cell.bytes_per_transfer) : "-",
                  floor_text(cell.floor));
  if (const auto latency = cell.latency_ratio()) {
    row += fmt::format("  one by hand: p50 {}, so {:.2f} times its latency",
                       format_microseconds(cell.baseline->one_caller_p50_us),
                       *latency);
  }
  if (!cell.note.empty()) row += "  " + cell.note;
  return row + "\n";
}

std::string requirements_table(std::span<const Requirement> requirements) {
  std::string table = "Required of a release\n";
  for (const Requirement& each : requirements) {
    const char* sign = each.bound == Bound::at_least ? "≥" : "≤";
    table += fmt::format("  {:<58}{:>8}{:>9}  {}\n",
                         each.what,
                         fmt::format("{} {:g}", sign, each.required),
                         each.measured ? fmt::format("{:.2f}", *each.measured) : "-",
                         verdict_on(each));
  }
  return table;
}

Report::Report(const Console& console, bool json) : console_(console), json_(json) {}

void Report::clear_progress() {
  if (is_progress_drawn_) console_.err("\r\033[K");
  is_progress_drawn_ = false;
}

void Report::begin(std::string_view title) {
  clear_progress();
  if (!json_) console_.out(fmt::format("\n{}\n{}", title, table_head()));
}

void Report::add(Cell cell) {
  clear_progress();
  console_.out(json_ ? to_json(cell) + "\n" : table_row(cell));
  cells_.push_back(std::move(cell));
}

void Report::note(std::string_view text) {
  clear_progress();
  const std::string line = fmt::format("  {}\n", text);
  if (json_) {
    console_.err(line);
  } else {
    console_.out(line);
  }
}

void Report::progress(std::string_view text) {
  if (!console_.progress) return;
  console_.err(fmt::format("\r\033[K{}", text));
  is_progress_drawn_ = true;
}

void Report::complain(std::string_view text) {
  clear_progress();
  console_.err(fmt::format("{}\n", text));
}

void Report::conclude() {
  clear_progress();
  if (!json_) console_.out("\n" + requirements_table(judge(cells_)));
}

}  // namespace mizan::bench
