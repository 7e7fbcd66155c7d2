#pragma once

#include "mizan/clock.hpp"

#include "base/mutex.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>

namespace mizan::sql {

/// Lets a fixed number of holders in, in order of arrival, so that nobody starves behind a busy
/// batch writer. May be given back by another thread than took it. Any thread may call.
class Turn {
 public:
  Turn(const Clock& clock, std::uint32_t holders_max) noexcept
      : clock_(clock), free_(holders_max) {}

  /// Blocks until the turn is ours or the deadline has passed; then false.
  [[nodiscard]] bool take(Deadline deadline) MIZAN_EXCLUDES(mutex_);
  void give_back() noexcept MIZAN_EXCLUDES(mutex_);

 private:
  const Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::uint64_t> waiting_ MIZAN_GUARDED_BY(mutex_);
  std::uint64_t last_ticket_ MIZAN_GUARDED_BY(mutex_) = 0;
  std::uint32_t free_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::sql
