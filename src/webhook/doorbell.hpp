#pragma once

#include "base/mutex.hpp"

#include <chrono>
#include <condition_variable>

namespace mizan::webhook {

/// Rung by any thread, heard by one. A ring before the waiting counts.
class Doorbell {
 public:
  void ring() {
    {
      const MutexLock lock(mutex_);
      has_rung_ = true;
    }
    rung_.notify_all();
  }

  /// Blocks until it has rung since the last call, at most this long.
  void wait(std::chrono::nanoseconds at_most) {
    MutexLock lock(mutex_);
    if (!has_rung_) rung_.wait_for(lock, at_most);
    has_rung_ = false;
  }

 private:
  Mutex mutex_;
  std::condition_variable_any rung_;
  bool has_rung_ MIZAN_GUARDED_BY(mutex_) = false;
};

}  // namespace mizan::webhook
