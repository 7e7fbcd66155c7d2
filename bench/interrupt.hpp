#pragma once

#include <csignal>

namespace mizan::bench {

/// While it lives, SIGINT and SIGTERM ask a run to end early instead of ending the process, so
/// that its files are removed. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

 private:
  struct sigaction interrupt_before_ {};

  struct sigaction terminate_before_ {};
};

/// True once a signal arrived. Any thread.
[[nodiscard]] bool is_interrupted() noexcept;

}  // namespace mizan::bench
