#include "store/sql/turn.hpp"

#include <algorithm>
#include <chrono>

namespace mizan::sql {

bool Turn::take(Deadline deadline) {
  MutexLock lock(mutex_);
  if (waiting_.empty() && free_ > 0) {
    --free_;
    return true;
  }
  const std::uint64_t ticket = ++last_ticket_;
  waiting_.push_back(ticket);
  while (waiting_.front() != ticket || free_ == 0) {
    const std::chrono::nanoseconds slice = clock_.wait_slice(deadline);
    if (slice <= std::chrono::nanoseconds::zero()) {
      waiting_.erase(std::find(waiting_.begin(), waiting_.end(), ticket));
      changed_.notify_all();
      return false;
    }
    changed_.wait_for(lock, slice);
  }
  waiting_.pop_front();
  --free_;
  if (free_ > 0) changed_.notify_all();
  return true;
}

void Turn::give_back() noexcept {
  {
    const MutexLock lock(mutex_);
    ++free_;
  }
  changed_.notify_all();
}

}  // namespace mizan::sql
