#include "cli/guarded_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <stop_token>
#include <string_view>

namespace mizan::cli {
namespace {

constexpr const char* where = "lock run";
constexpr int killed_by_signal = 128;

/// Arguments or an environment as execvpe takes them. The texts must outlive it.
class TextList {
 public:
  explicit TextList(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }

  [[nodiscard]] char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

std::vector<std::string> make_environment(
    const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::any_of(variables.begin(), variables.end(), [name](const auto& item) {
      return item.first == name;
    });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

/// A started child. With a group of its own it can be told to end together with its children; at
/// a terminal it stays in ours, so that job control works as without us.
struct Child {
  pid_t pid = -1;
  bool own_group = false;

  void send(int signal) const { ::kill(own_group ? -pid : pid, signal); }
};

/// All that the forked child needs; made before the fork.
struct Start {
  char** words = nullptr;
  char** environment = nullptr;
  const sigset_t& signal_mask;
  bool own_group = false;
  pid_t parent = -1;
  int report = -1;  ///< Where the error goes when there is no such program.
};

/// Between fork and exec: only calls that are safe there.
[[noreturn]] void become(const Start& start) {
  if (start.own_group) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != start.parent) _exit(killed_by_signal + SIGTERM);
  signal(SIGPIPE, SIG_DFL);  // What this program ignores its command need not.
  signal(SIGXFSZ, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &start.signal_mask, nullptr);
  execvpe(start.words[0], start.words, start.environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(start.report, &error, sizeof error);
  _exit(127);
}

Result<Child> start(const GuardedCommand& command, const SignalQueue& signals) {
  TextList words(command.words);
  TextList environment(make_environment(command.variables));
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) {
    return internal_error(where, fmt::format("pipe: {}", std::strerror(errno)));
  }
  const bool own_group = isatty(STDIN_FILENO) == 0;
  const Start child{.words = words.data(),
                    .environment = environment.data(),
                    .signal_mask = signals.mask_before(),
                    .own_group = own_group,
                    .parent = getpid(),
                    .report = report[1]};
  const pid_t pid = fork();
  if (pid == 0) become(child);
  const int fork_error = errno;
  close(report[1]);
  if (pid < 0) {
    close(report[0]);
    return internal_error(where, fmt::format("fork: {}", std::strerror(fork_error)));
  }
  if (own_group) setpgid(pid, pid);  // Both sides do it, so that it is done whoever comes first.
  int error = 0;
  const ssize_t count = read(report[0], &error, sizeof error);
  close(report[0]);
  if (count == static_cast<ssize_t>(sizeof error)) {
    waitpid(pid, nullptr, 0);
    return invalid_request(
        where, fmt::format("cannot run {}: {}", command.words.front(), std::strerror(error)));
  }
  return Child{pid, own_group};
}

std::optional<int> reap(const Child& child) {
  int status = 0;
  if (waitpid(child.pid, &status, WNOHANG) != child.pid) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : killed_by_signal + WTERMSIG(status);
}

/// How long poll may sleep; -1 for ever.
int wait_time(Deadline kill_at, const Clock& clock) {
  if (kill_at == Deadline::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(kill_at - clock.now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void pass_signals(const SignalQueue& signals, const Child& child) {
  while (const auto arrived = signals.take()) {
    if (arrived->number == SIGCHLD) continue;
    // The terminal tells its whole foreground group; twice would mean something else.
    if (arrived->from_terminal && !child.own_group) continue;
    child.send(arrived->number);
  }
}

}  // namespace

Result<CommandEnd> run_guarded(const GuardedCommand& command,
                               const Lease& lease,
                               const SignalQueue& signals,
                               const Clock& clock) {
  auto child = start(command, signals);
  if (!child) return std::move(child).error();
  const WakeFlag lost;
  const std::stop_callback on_lost(lease.lost(), [&lost] { lost.set(); });
  CommandEnd end;
  Deadline kill_at = Deadline::max();
  while (true) {
    if (const auto status = reap(*child)) {
      end.status = *status;
      return end;
    }
    std::array<pollfd, 2> watched{
        {{signals.descriptor(), POLLIN, 0}, {end.lease_lost ? -1 : lost.descriptor(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), wait_time(kill_at, clock));
    pass_signals(signals, *child);
    if (watched[1].revents != 0) {
      end.lease_lost = true;
      kill_at = clock.now() + command.grace;
      child->send(SIGTERM);
      child->send(SIGCONT);  // A stopped command would not hear it.
    }
    if (kill_at != Deadline::max() && clock.now() >= kill_at) {
      child->send(SIGKILL);
      kill_at = Deadline::max();
    }
  }
}

}  // namespace mizan::cli
