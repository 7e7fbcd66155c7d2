#pragma once

#include <chrono>
#include <cstdint>

namespace mizan::bench {

/// The clock of every measurement.
using Ticks = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_between(Ticks::time_point from, Ticks::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

[[nodiscard]] inline Ticks::time_point later(Ticks::time_point from, double seconds) {
  return from + std::chrono::duration_cast<Ticks::duration>(std::chrono::duration<double>(seconds));
}

/// 0 where the clock's reading says that it ended before it was due.
[[nodiscard]] inline std::uint64_t nanoseconds_between(Ticks::time_point from,
                                                       Ticks::time_point to) {
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count();
  return passed > 0 ? static_cast<std::uint64_t>(passed) : 0;
}

}  // namespace mizan::bench
