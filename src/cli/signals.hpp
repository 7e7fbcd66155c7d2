#pragma once

#include "mizan/result.hpp"

#include <csignal>
#include <optional>

namespace mizan::cli {

/// A signal that arrived.
struct ArrivedSignal {
  int number = 0;

  /// Sent by the terminal, to the whole foreground group: others got it already.
  bool from_terminal = false;
};

/// Turns the signals that end or tell programs something, and SIGCHLD, into something that can be
/// read, from construction to destruction. Made before other threads, which inherit the blocking.
class SignalQueue {
 public:
  SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;
  ~SignalQueue();

  /// Readable when a signal is there; for poll.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  /// The next signal, without waiting.
  [[nodiscard]] std::optional<ArrivedSignal> take() const;

  /// What a child restores before it becomes another program.
  [[nodiscard]] const sigset_t& mask_before() const noexcept { return before_; }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

/// A flag that poll can wait for; set from any thread, also more than once.
class WakeFlag {
 public:
  WakeFlag();
  WakeFlag(const WakeFlag&) = delete;
  WakeFlag& operator=(const WakeFlag&) = delete;
  ~WakeFlag();

  void set() const noexcept;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace mizan::cli
