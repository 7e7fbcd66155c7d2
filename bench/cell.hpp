#pragma once

#include "mizan/ledger.hpp"

#include "bench/disk_probe.hpp"
#include "bench/load.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::bench {

/// Microseconds.
struct Percentiles {
  double p50 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
};

[[nodiscard]] Percentiles percentiles_of(const Histogram& nanoseconds) noexcept;

/// What the measurement is compared with, from the same run.
struct Comparison {
  std::string what;
  double per_second = 0;
  double one_caller_p50_us = 0;  ///< Of one of its callers, alone.
};

/// One figure of a run with everything that is needed to judge it.
struct Cell {
  std::string workload;  ///< With its part, e.g. "hot:credit".
  std::string step;      ///< For people, e.g. "batch 64".
  std::string store;
  std::optional<Strategy> strategy;  ///< Absent: no ledger is involved.
  std::size_t batch = 1;
  std::size_t callers = 1;
  std::size_t wallets = 0;
  std::uint64_t transfers = 0;
  double seconds = 0;
  double per_second = 0;
  Percentiles latency_us;
  std::optional<double> bytes_per_transfer;
  std::string durability;
  std::optional<Comparison> baseline;
  std::optional<DiskWeather> floor;  ///< The disk's own limit while it was measured.
  std::string note;

  /// Times the baseline.
  [[nodiscard]] std::optional<double> ratio() const noexcept {
    if (!baseline || baseline->per_second <= 0) return std::nullopt;
    return per_second / baseline->per_second;
  }

  /// One caller's latency, times that of one caller of the baseline; absent where there are more.
  [[nodiscard]] std::optional<double> latency_ratio() const noexcept {
    const bool is_one = callers == 1 && batch == 1;
    if (!is_one || !baseline || baseline->one_caller_p50_us <= 0) return std::nullopt;
    return latency_us.p50 / baseline->one_caller_p50_us;
  }

  /// Of the disk, meanwhile; see DiskWeather.
  [[nodiscard]] std::string_view flaw() const noexcept { return floor ? floor->flaw() : ""; }
};

/// Takes over what the load reached.
void set_result(Cell& cell, const LoadResult& result);

}  // namespace mizan::bench
