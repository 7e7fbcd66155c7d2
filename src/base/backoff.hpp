#pragma once

#include "mizan/clock.hpp"

#include "base/random.hpp"

#include <chrono>
#include <optional>

namespace mizan {

struct BackoffOptions {
  std::chrono::nanoseconds first{std::chrono::milliseconds{1}};      ///< Longest first wait; > 0.
  std::chrono::nanoseconds longest{std::chrono::milliseconds{250}};  ///< Of any wait; >= first.
};

/// When to try again: exponential with full jitter (each wait uniform between 0 and a bound that
/// doubles), never past the deadline. Knows no clock and does not sleep. One thread at a time.
class Backoff {
 public:
  /// `random` must outlive it.
  explicit Backoff(Random& random, BackoffOptions options = {}) noexcept;

  /// The instant of the next attempt, before `deadline`; nothing when less than 50 µs is left.
  /// No wait is shorter than that (or than half the bound, where that is less).
  [[nodiscard]] std::optional<Instant> next(Instant now, Deadline deadline);

 private:
  Random& random_;
  std::chrono::nanoseconds bound_;
  std::chrono::nanoseconds longest_;
};

}  // namespace mizan
