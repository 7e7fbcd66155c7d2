// The process that owns the store, or one on a server that is to be killed. Standard input:
// `arm STEP` (the next transaction to come to the step says `at STEP` and stands still until it is
// killed), `quit`. Socket, per connection: what a Desk understands.

#include "base/mutex.hpp"
#include "prover/workers/desk.hpp"
#include "prover/workers/line_socket.hpp"
#include "prover/workers/protocol.hpp"
#include "prover/workers/roles.hpp"
#include "prover/workers/standard_lines.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace mizan::prover {

namespace {

/// Stops whoever comes to the armed step, for good.
class StepTrap {
 public:
  void arm(std::string_view step) {
    const MutexLock lock(mutex_);
    armed_ = std::string(step);
  }

  void arrive(std::string_view step) {
    {
      const MutexLock lock(mutex_);
      if (armed_ != step) return;
      armed_.clear();
    }
    write_line("at " + std::string(step));
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  Mutex mutex_;
  std::string armed_ MIZAN_GUARDED_BY(mutex_);
};

void serve(Desk& owner, LineSocket socket) {
  for (;;) {
    const auto line = socket.receive(std::chrono::hours(1));
    if (!line) return;
    if (!socket.send(owner.answer(*line))) return;
  }
}

}  // namespace

int run_owner(std::span<const std::string_view> words) {
  if (words.size() != 6) return 1;
  // Never freed: threads that stand at a step still use them when the process ends.
  auto* trap = new StepTrap;
  auto opened = Desk::open(words.subspan(1), [trap](std::string_view step) { trap->arrive(step); });
  auto listener = listen_on(std::filesystem::path(words[0]));
  if (!opened || !listener) {
    write_line(error_line(opened ? listener.error() : opened.error()));
    return 3;
  }
  Desk* owner = opened->release();
  std::thread([owner, &listener = *listener] {
    for (;;) {
      auto socket = accept_on(listener);
      if (!socket) return;
      std::thread(serve, std::ref(*owner), std::move(*socket)).detach();
    }
  }).detach();
  write_line("ready");
  while (const auto line = read_command()) {
    const auto fields = split_fields(*line);
    if (fields.size() == 2 && fields.front() == "arm") {
      trap->arm(fields[1]);
      write_line("armed");
    }
    if (*line == "quit") break;
  }
  std::_Exit(0);
}

}  // namespace mizan::prover
