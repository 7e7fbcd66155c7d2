#pragma once

#include "mizan/clock.hpp"

#include <chrono>
#include <cstddef>

namespace mizan::engine {

/// Whether a batch waits a moment for those who have just been answered. Where everybody wants the
/// same wallet no batch goes beside another, and callers who come again at once end up in two
/// halves, of which one waits while the other is written. One batch of all of them costs one
/// transaction instead of two. Where they do not come again at once, it is tried less and less
/// often. A value; no threads of its own.
class Gathering {
 public:
  /// A batch is about to be answered that took `took`; with those who are queued they are
  /// `everybody`.
  void expect(std::size_t everybody, std::chrono::nanoseconds took, Instant now) noexcept;

  /// Is it worth waiting? Where so, until `enough()` are queued, but not after `until()`.
  [[nodiscard]] bool begin(std::size_t queued, Instant now) noexcept;

  [[nodiscard]] std::size_t enough() const noexcept { return everybody_; }

  [[nodiscard]] Instant until() const noexcept { return until_; }

  /// So many are queued at the end of a wait.
  void end(std::size_t queued) noexcept;

 private:
  std::size_t everybody_ = 0;
  Instant until_{};
  std::size_t in_vain_ = 0;
  std::size_t saved_ = 0;  // As many batches do not wait.
};

}  // namespace mizan::engine
