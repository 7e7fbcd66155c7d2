#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace mizan::prover {

/// How long one waits for another who may never come, because a lock keeps it away.
inline constexpr std::chrono::milliseconds patience{400};

/// How long one waits for another who must come.
inline constexpr std::chrono::milliseconds long_patience{10'000};

/// Something that happens once, for which others wait. Any thread may call it.
class Signal {
 public:
  void give() {
    const std::lock_guard lock(mutex_);
    given_ = true;
    changed_.notify_all();
  }

  /// False when it was not given in that time.
  bool await(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, wait, [this] { return given_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool given_ = false;
};

/// Where several meet before they go on. Any thread may call it.
class Rendezvous {
 public:
  explicit Rendezvous(std::size_t count) : count_(count) {}

  /// Goes on when all are there; false when they were not in that time.
  bool meet(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    ++here_;
    changed_.notify_all();
    return changed_.wait_for(lock, wait, [this] { return here_ >= count_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t count_;
  std::size_t here_ = 0;
};

}  // namespace mizan::prover
