#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mizan::bench {

/// Counts durations in buckets whose width grows with their value: 64 to each power of two, so
/// that a percentile is at most 1/64 too high and never too low, over all of 64 bits, without a
/// list of the values. One thread at a time; histograms of several threads are added up.
class Histogram {
 public:
  void record(std::uint64_t value) noexcept;
  void add(const Histogram& other) noexcept;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// The largest recorded value, exactly; 0 when there is none.
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }

  /// The value that at least `share` (0 … 1) of the recorded values do not exceed; 0 when there
  /// is none.
  [[nodiscard]] std::uint64_t at_share(double share) const noexcept;

 private:
  static constexpr unsigned step_bits = 6;
  static constexpr std::size_t steps = std::size_t{1} << step_bits;
  static constexpr std::size_t buckets = (64 - step_bits + 1) * steps;

  [[nodiscard]] static std::size_t bucket_of(std::uint64_t value) noexcept;
  [[nodiscard]] static std::uint64_t highest_in(std::size_t bucket) noexcept;

  std::array<std::uint64_t, buckets> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace mizan::bench
