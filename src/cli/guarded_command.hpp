#pragma once

#include "mizan/clock.hpp"
#include "mizan/lock.hpp"
#include "mizan/result.hpp"

#include "cli/signals.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace mizan::cli {

/// Another program, run while a lease is held.
struct GuardedCommand {
  std::vector<std::string> words;  ///< The program and its arguments; never empty.
  std::vector<std::pair<std::string, std::string>> variables;  ///< Added to the environment.
  std::chrono::milliseconds grace{5'000};                      ///< Between SIGTERM and SIGKILL.
};

struct CommandEnd {
  int status = 0;  ///< Its exit status; 128 + the signal where one killed it.
  bool lease_lost = false;
};

/// Runs the command to its end. Signals that arrive are passed on to it; when the lease is lost it
/// is told to end (SIGTERM) and after the grace period made to (SIGKILL). It is told to end, too,
/// when this process dies. A program that cannot be started is `invalid_request`.
[[nodiscard]] Result<CommandEnd> run_guarded(const GuardedCommand& command,
                                             const Lease& lease,
                                             const SignalQueue& signals,
                                             const Clock& clock);

}  // namespace mizan::cli
