#pragma once

#include "mizan/clock.hpp"

#include <condition_variable>
#include <mutex>

namespace mizan::memory {

/// One writer at a time. Unlike a mutex it may be given back by another thread than took it.
/// Any thread may call.
class WriterTurn {
 public:
  explicit WriterTurn(const Clock& clock) noexcept : clock_(clock) {}

  /// Blocks until the turn is ours or the deadline has passed; then false.
  [[nodiscard]] bool take(Deadline deadline);
  void give_back() noexcept;

 private:
  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  bool taken_ = false;
};

}  // namespace mizan::memory
