#pragma once

#include "mizan/ledger.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mizan::engine {

/// A Distribution that any thread may add to. `Bounds` is an ascending std::array of std::uint64_t.
template <const auto& Bounds>
class Tally {
 public:
  void note(std::uint64_t value) noexcept {
    constexpr auto relaxed = std::memory_order_relaxed;
    const auto bound = std::lower_bound(Bounds.begin(), Bounds.end(), value);
    counts_[static_cast<std::size_t>(bound - Bounds.begin())].fetch_add(1, relaxed);
    sum_.fetch_add(value, relaxed);
  }

  [[nodiscard]] Distribution read() const {
    Distribution distribution;
    distribution.bounds.assign(Bounds.begin(), Bounds.end());
    distribution.counts.reserve(counts_.size());
    for (const auto& count : counts_) {
      distribution.counts.push_back(count.load(std::memory_order_relaxed));
    }
    distribution.sum = sum_.load(std::memory_order_relaxed);
    return distribution;
  }

 private:
  std::array<std::atomic<std::uint64_t>, Bounds.size() + 1> counts_{};
  std::atomic<std::uint64_t> sum_{0};
};

}  // namespace mizan::engine
