#pragma once

#include "mizan/result.hpp"

#include <filesystem>

namespace mizan::bench {

/// What the disk can do at this moment, whoever asks: 8 KiB overwritten and made durable, one
/// after the other.
struct DiskWeather {
  double fdatasync_per_second = 0;
  double p50_us = 0;  ///< Microseconds.

  /// A rate limit of the machine, not of the program: figures taken now say little.
  [[nodiscard]] bool is_throttled() const noexcept { return p50_us > 1'000; }
};

/// Measures for up to `seconds` with a file of its own in `directory`, removed afterwards.
[[nodiscard]] Result<DiskWeather> probe_disk(const std::filesystem::path& directory,
                                             double seconds);

}  // namespace mizan::bench
