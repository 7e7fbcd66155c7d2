#pragma once

#include "mizan/epoch_table.hpp"

#include "base/mutex.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace mizan::memory {

/// The lock services' epochs, for as long as the store lives. Any thread may call.
class MemoryEpochTable final : public EpochTable {
 public:
  Result<std::int64_t> next_epoch(std::int64_t above) override {
    const MutexLock lock(mutex_);
    const std::int64_t newest = std::max(newest_, above);
    if (newest == std::numeric_limits<std::int64_t>::max()) {
      return invalid_request("memory: lock epoch", "no greater epoch is left");
    }
    newest_ = newest + 1;
    return newest_;
  }

 private:
  Mutex mutex_;
  std::int64_t newest_ MIZAN_GUARDED_BY(mutex_) = 0;
};

}  // namespace mizan::memory
