#include "store/memory/writer_turn.hpp"

#include <chrono>

namespace mizan::memory {

bool WriterTurn::take(Deadline deadline) {
  std::unique_lock lock(mutex_);
  while (taken_) {
    const std::chrono::nanoseconds slice = clock_.wait_slice(deadline);
    if (slice <= std::chrono::nanoseconds::zero()) return false;
    given_back_.wait_for(lock, slice);
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
