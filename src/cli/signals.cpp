#include "cli/signals.hpp"

#include "base/assert.hpp"

#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>

namespace mizan::cli {

SignalQueue::SignalQueue() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) {
    sigaddset(&signals, number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  descriptor_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  MIZAN_ASSERT(descriptor_ >= 0);
}

SignalQueue::~SignalQueue() {
  // What nobody took must not strike now that the work is done.
  while (take()) {
  }
  ::close(descriptor_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<ArrivedSignal> SignalQueue::take() const {
  signalfd_siginfo info{};
  if (::read(descriptor_, &info, sizeof info) != sizeof info) return std::nullopt;
  return ArrivedSignal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

WakeFlag::WakeFlag() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  MIZAN_ASSERT(descriptor_ >= 0);
}

WakeFlag::~WakeFlag() {
  ::close(descriptor_);
}

void WakeFlag::set() const noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then it is set.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
}

}  // namespace mizan::cli
