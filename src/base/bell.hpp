#pragma once

#include <atomic>
#include <cstdint>

namespace mizan {

/// Wakes all threads that wait for something, with one system call and without spinning.
/// std::atomic::wait and std::binary_semaphore yield the processor several times before they
/// sleep: with many waiters on few processors that is most of what there is to do.
///
///     waiter: for (auto seen = bell.rings(); !done; seen = bell.rings()) bell.wait(seen);
///     waker:  done = true; bell.ring();
///
/// Threads: any. Must outlive its waiters.
class Bell {
 public:
  /// How often it rang; ask before looking at what is waited for.
  [[nodiscard]] std::uint32_t rings() const noexcept {
    return rings_.load(std::memory_order_acquire);
  }

  /// Blocks until it rang since `seen`; may return early.
  void wait(std::uint32_t seen) noexcept;

  void ring() noexcept;

 private:
  std::atomic<std::uint32_t> rings_{0};
};

}  // namespace mizan
