#include "testkit/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace mizan::testkit {
namespace {

Error failed(const char* step) {
  return internal_error(std::string("child process: ") + step, std::strerror(errno));
}

void close_quietly(int& descriptor) noexcept {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

struct Pipe {
  int read = -1;
  int write = -1;

  ~Pipe() {
    close_quietly(read);
    close_quietly(write);
  }

  [[nodiscard]] bool open() noexcept {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<ChildProcess::Variable>& variables) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const bool replaced = std::any_of(variables.begin(), variables.end(), [text](const auto& v) {
      return text.size() > v.first.size() && text.starts_with(v.first) &&
             text[v.first.size()] == '=';
    });
    if (!replaced) environment.emplace_back(text);
  }
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  return environment;
}

/// In the child, between fork and exec: only what is safe after a fork of a threaded process.
[[noreturn]] void become(char** arguments,
                         char** environment,
                         const Pipe& input,
                         const Pipe& output,
                         const Pipe& failure) noexcept {
  ::signal(SIGPIPE, SIG_DFL);
  if (::dup2(input.read, STDIN_FILENO) >= 0 && ::dup2(output.write, STDOUT_FILENO) >= 0) {
    ::execve(arguments[0], arguments, environment);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure.write, &error, sizeof error);
  ::_exit(127);
}

/// Blocks until the child became the program; 0, or the errno that kept it from it.
int await_start(Pipe& failure) noexcept {
  close_quietly(failure.write);
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(failure.read, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

int milliseconds_until(Deadline deadline) {
  const Instant now = system_clock().now();
  if (now >= deadline) return 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
  return static_cast<int>(std::min<std::int64_t>(left.count(), 1000));
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments,
                                         const std::vector<Variable>& variables) {
  if (arguments.empty()) return invalid_request("child process: start", "no program is named");
  // Writing to a child that died must be an error of `write`, not the end of this process.
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> argument_texts = arguments;
  std::vector<std::string> environment_texts = environment_with(variables);
  const std::vector<char*> argument_pointers = pointers_to(argument_texts);
  const std::vector<char*> environment_pointers = pointers_to(environment_texts);
  Pipe input;
  Pipe output;
  Pipe failure;
  if (!input.open() || !output.open() || !failure.open()) return failed("pipe");

  const pid_t pid = ::fork();
  if (pid < 0) return failed("fork");
  if (pid == 0) {
    become(const_cast<char**>(argument_pointers.data()),
           const_cast<char**>(environment_pointers.data()),
           input,
           output,
           failure);
  }
  ChildProcess child(pid, std::exchange(input.write, -1), std::exchange(output.read, -1));
  if (const int error = await_start(failure); error != 0) {
    errno = error;
    return failed(arguments[0].c_str());
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      unread_(std::move(other.unread_)),
      exit_(std::exchange(other.exit_, std::nullopt)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  abandon();
  pid_ = std::exchange(other.pid_, -1);
  input_ = std::exchange(other.input_, -1);
  output_ = std::exchange(other.output_, -1);
  unread_ = std::move(other.unread_);
  exit_ = std::exchange(other.exit_, std::nullopt);
  return *this;
}

ChildProcess::~ChildProcess() {
  abandon();
}

Result<std::optional<std::string>> ChildProcess::read_line(Deadline deadline) {
  while (true) {
    const std::size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return std::optional(std::move(line));
    }
    pollfd ready{output_, POLLIN, 0};
    const int polled = ::poll(&ready, 1, milliseconds_until(deadline));
    if (polled < 0 && errno != EINTR) return failed("poll");
    if (polled <= 0) {
      if (system_clock().now() < deadline) continue;
      return unavailable("child process: read_line", "no whole line came before the deadline");
    }
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(output_, buffer.data(), buffer.size());
    if (got < 0 && errno != EINTR) return failed("read");
    if (got > 0) unread_.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0) {
      if (unread_.empty()) return std::optional<std::string>();
      return std::optional(std::exchange(unread_, {}));
    }
  }
}

Status ChildProcess::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(input_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

void ChildProcess::close_input() noexcept {
  close_quietly(input_);
}

void ChildProcess::kill() noexcept {
  send(SIGKILL);
}

void ChildProcess::terminate() noexcept {
  send(SIGTERM);
}

void ChildProcess::stop() noexcept {
  send(SIGSTOP);
}

void ChildProcess::resume() noexcept {
  send(SIGCONT);
}

Result<ChildExit> ChildProcess::wait(Deadline deadline) {
  while (!reap(false)) {
    const Instant now = system_clock().now();
    if (now >= deadline) {
      return unavailable("child process: wait", "it still runs at the deadline");
    }
    system_clock().sleep_until(std::min(deadline, now + std::chrono::milliseconds(1)));
  }
  return *exit_;
}

void ChildProcess::send(int signal) const noexcept {
  // Once it is reaped its number may belong to another process.
  if (pid_ > 0 && !exit_) ::kill(pid_, signal);
}

bool ChildProcess::reap(bool block) noexcept {
  if (exit_) return true;
  int status = 0;
  pid_t reaped = 0;
  do {
    reaped = ::waitpid(pid_, &status, block ? 0 : WNOHANG);
  } while (reaped < 0 && errno == EINTR);
  if (reaped == 0) return false;
  exit_.emplace();
  if (reaped > 0 && WIFEXITED(status)) exit_->status = WEXITSTATUS(status);
  if (reaped > 0 && WIFSIGNALED(status)) exit_->signal = WTERMSIG(status);
  return true;
}

void ChildProcess::abandon() noexcept {
  close_quietly(input_);
  close_quietly(output_);
  if (pid_ <= 0) return;
  kill();
  static_cast<void>(reap(true));
  pid_ = -1;
}

std::string own_program() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  return size < 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

}  // namespace mizan::testkit
