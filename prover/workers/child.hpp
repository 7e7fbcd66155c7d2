#pragma once

#include "mizan/result.hpp"

#include "testkit/child_process.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// How long the prover waits for any answer of a child: generous, never a part of a verdict.
inline constexpr std::chrono::milliseconds child_wait{20'000};

/// A process of our own program, started by us and spoken to in lines: ours to stop and to kill.
/// Destruction kills it.
class Child {
 public:
  /// Runs this very program again as `mizan prove ARGUMENTS` (see workers/roles.hpp).
  [[nodiscard]] static Result<Child> start(const std::vector<std::string>& arguments);

  Status send(std::string_view line);

  /// The next line; `unavailable` at its end or after `wait`.
  Result<std::string> receive(std::chrono::milliseconds wait = child_wait);

  /// Sends and receives.
  Result<std::string> exchange(std::string_view line);

  /// SIGSTOP, and waits until the whole process stands still.
  Status pause();
  /// SIGCONT.
  void resume() noexcept;
  /// SIGKILL, and waits until it is gone.
  void kill() noexcept;

  [[nodiscard]] int process() const noexcept { return process_.pid(); }

 private:
  explicit Child(testkit::ChildProcess process) noexcept : process_(std::move(process)) {}

  testkit::ChildProcess process_;
};

/// In the child: ends it when the prover ends, even while it is stopped.
void die_with_parent() noexcept;

}  // namespace mizan::prover
