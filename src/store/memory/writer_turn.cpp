#include "store/memory/writer_turn.hpp"

#include <chrono>

namespace mizan::memory {

bool WriterTurn::take(Deadline deadline) {
  // The deadline belongs to `clock_`, which may be a test's and stand still, so the waiting is cut
  // into slices and the clock is asked after each.
  constexpr std::chrono::milliseconds slice{2};
  std::unique_lock lock(mutex_);
  while (!given_back_.wait_for(lock, slice, [this] { return !taken_; })) {
    if (clock_.now() >= deadline) return false;
  }
  taken_ = true;
  return true;
}

void WriterTurn::give_back() noexcept {
  {
    const std::lock_guard lock(mutex_);
    taken_ = false;
  }
  given_back_.notify_one();
}

}  // namespace mizan::memory
