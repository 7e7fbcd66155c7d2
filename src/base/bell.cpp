#include "base/bell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <limits>

namespace mizan {

// The kernel looks at the counter's own bytes.
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

void Bell::wait(std::uint32_t seen) noexcept {
  // Sleeps only while the counter still is `seen`; a signal or a ring in between returns.
  static_cast<void>(::syscall(SYS_futex, &rings_, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0));
}

void Bell::ring() noexcept {
  rings_.fetch_add(1, std::memory_order_release);
  static_cast<void>(::syscall(SYS_futex,
                              &rings_,
                              FUTEX_WAKE_PRIVATE,
                              std::numeric_limits<int>::max(),
                              nullptr,
                              nullptr,
                              0));
}

}  // namespace mizan
