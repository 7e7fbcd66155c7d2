#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::testkit {

/// How a child ended: with a status of its own, or killed by a signal.
struct ChildExit {
  std::optional<int> status;
  std::optional<int> signal;
};

/// A program that runs beside us, with pipes on its standard input and output. Its standard error
/// is ours. Movable; one thread at a time. Destruction kills and reaps it.
class ChildProcess {
 public:
  using Variable = std::pair<std::string, std::string>;

  /// Starts `arguments[0]` (a path) with the environment of this process and `variables` on top.
  /// A program that cannot be started is an error at once.
  [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& arguments,
                                                  const std::vector<Variable>& variables = {});

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] int pid() const noexcept { return pid_; }

  /// The next line of its output without the line feed; nothing at its end. `unavailable` when
  /// no whole line came before the deadline.
  [[nodiscard]] Result<std::optional<std::string>> read_line(Deadline deadline);

  /// Writes to its input; blocks while the pipe is full.
  [[nodiscard]] Status write(std::string_view text);
  void close_input() noexcept;

  void kill() noexcept;       ///< SIGKILL.
  void terminate() noexcept;  ///< SIGTERM.
  void stop() noexcept;       ///< SIGSTOP: frozen, as in a long pause of the machine.
  void resume() noexcept;     ///< SIGCONT.

  /// `unavailable` when it still runs at the deadline. May be asked again afterwards.
  [[nodiscard]] Result<ChildExit> wait(Deadline deadline);

 private:
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters): called in one place, by name.
  ChildProcess(int pid, int input, int output) noexcept
      : pid_(pid), input_(input), output_(output) {}

  void send(int signal) const noexcept;
  [[nodiscard]] bool reap(bool block) noexcept;
  void abandon() noexcept;

  int pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string unread_;
  std::optional<ChildExit> exit_;
};

/// The path of the program that runs this code.
[[nodiscard]] std::string own_program();

}  // namespace mizan::testkit
