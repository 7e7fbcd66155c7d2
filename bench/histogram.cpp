#include "bench/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mizan::bench {

// Values below `steps` have a bucket each. Above, a value of n bits keeps its highest
// step_bits + 1 bits; how many low bits are dropped (n − step_bits − 1) names the row.
std::size_t Histogram::bucket_of(std::uint64_t value) noexcept {
  if (value < steps) return static_cast<std::size_t>(value);
  const auto dropped = static_cast<unsigned>(std::bit_width(value)) - step_bits - 1;
  return (dropped + 1) * steps + (static_cast<std::size_t>(value >> dropped) - steps);
}

std::uint64_t Histogram::highest_in(std::size_t bucket) noexcept {
  if (bucket < steps) return bucket;
  const std::size_t dropped = bucket / steps - 1;
  const std::uint64_t kept = bucket % steps + steps;
  return (kept << dropped) + ((std::uint64_t{1} << dropped) - 1);
}

void Histogram::record(std::uint64_t value) noexcept {
  ++counts_[bucket_of(value)];
  ++count_;
  max_ = std::max(max_, value);
}

void Histogram::add(const Histogram& other) noexcept {
  for (std::size_t i = 0; i < buckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

std::uint64_t Histogram::at_share(double share) const noexcept {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets; ++i) {
    seen += counts_[i];
    if (seen >= rank) return std::min(highest_in(i), max_);
  }
  return max_;
}

}  // namespace mizan::bench
