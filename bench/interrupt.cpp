#include "bench/interrupt.hpp"

#include <atomic>

namespace mizan::bench {

namespace {

std::atomic<bool> arrived{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // A signal handler may touch no other.

void note_arrival(int /*signal*/) {
  arrived.store(true, std::memory_order_relaxed);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  arrived.store(false, std::memory_order_relaxed);

  struct sigaction action {};

  action.sa_handler = note_arrival;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

bool is_interrupted() noexcept {
  return arrived.load(std::memory_order_relaxed);
}

}  // namespace mizan::bench
