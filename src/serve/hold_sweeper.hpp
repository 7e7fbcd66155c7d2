#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"

#include "base/mutex.hpp"

#include <chrono>
#include <condition_variable>
#include <thread>

namespace mizan::serve {

/// Ends holds whose deadline passed, for good, every second: also those that came due while no
/// node was up. Any number of nodes may do it at once. Owns its thread.
class HoldSweeper {
 public:
  /// Both must outlive it.
  HoldSweeper(Ledger& ledger, const Clock& clock);
  HoldSweeper(const HoldSweeper&) = delete;
  HoldSweeper& operator=(const HoldSweeper&) = delete;
  ~HoldSweeper();

 private:
  void run();
  void sweep();

  Ledger& ledger_;
  const Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any wake_;
  bool stopping_ MIZAN_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: it uses everything above.
};

}  // namespace mizan::serve
