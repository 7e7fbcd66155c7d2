#pragma once

#include "mizan/result.hpp"

#include <filesystem>
#include <string_view>

namespace mizan::bench {

/// What the disk can do at this moment, whoever asks: 8 KiB overwritten and made durable, one
/// after the other.
struct DiskWeather {
  double fdatasync_per_second = 0;
  double p50_us = 0;  ///< Microseconds.

  /// A rate limit of the machine, not of the program: figures taken now say little.
  [[nodiscard]] bool is_throttled() const noexcept { return p50_us > 1'000; }

  /// Faster than any disk: a file system in memory, or one that does not wait for its disk.
  [[nodiscard]] bool is_volatile() const noexcept { return p50_us < 10; }

  /// What makes ratios to the baseline worthless: empty, or a few words about it.
  [[nodiscard]] std::string_view flaw() const noexcept {
    if (is_throttled()) return "throttled";
    return is_volatile() ? "not durable" : "";
  }
};

/// Measures for up to `seconds` with a file of its own in `directory`, removed afterwards.
[[nodiscard]] Result<DiskWeather> probe_disk(const std::filesystem::path& directory,
                                             double seconds);

}  // namespace mizan::bench
