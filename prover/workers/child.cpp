#include "prover/workers/child.hpp"

#include "mizan/clock.hpp"

#include "testkit/eventually.hpp"

#include <sys/prctl.h>

#include <csignal>
#include <fstream>
#include <utility>

namespace mizan::prover {

namespace {

Deadline after(std::chrono::milliseconds wait) {
  return system_clock().now() + wait;
}

/// True once the kernel says that the process is stopped: the signal alone is only a promise.
bool is_stopped(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && text.compare(name_end + 2, 1, "T") == 0;
}

}  // namespace

Result<Child> Child::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{testkit::own_program(), "prove"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto process = testkit::ChildProcess::start(words);
  if (!process) return std::move(process).error();
  return Child(std::move(*process));
}

Status Child::send(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  return process_.write(bytes);
}

Result<std::string> Child::receive(std::chrono::milliseconds wait) {
  auto line = process_.read_line(after(wait));
  if (!line) return std::move(line).error();
  if (!*line) return unavailable("prover: child", "the process ended");
  return *std::move(*line);
}

Result<std::string> Child::exchange(std::string_view line) {
  const Status sent = send(line);
  if (!sent) return sent.error();
  return receive();
}

Status Child::pause() {
  process_.stop();
  if (testkit::eventually([this] { return is_stopped(process_.pid()); }, child_wait)) return {};
  return unavailable("prover: SIGSTOP", "the process does not stand still");
}

void Child::resume() noexcept {
  process_.resume();
}

void Child::kill() noexcept {
  process_.kill();
  static_cast<void>(process_.wait(after(child_wait)));
}

void die_with_parent() noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace mizan::prover
