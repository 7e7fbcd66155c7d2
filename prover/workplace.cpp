#include "prover/workplace.hpp"

#include "base/thread.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace mizan::prover {
namespace {

constexpr std::array<int, 3> ending_signals = {SIGINT, SIGTERM, SIGHUP};

// A handler has nothing but globals: where it tells the watcher which signal came.
std::atomic<int> notices{-1};

void tell_watcher(int number) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(number);
  [[maybe_unused]] const ssize_t written = ::write(notices.load(), &byte, 1);
  errno = error;
}

void set_handler(void (*handler)(int)) {
  for (const int number : ending_signals) {
    struct sigaction before {};

    ::sigaction(number, nullptr, &before);
    // Whoever started the program without a signal (`nohup`) does not want it.
    if (before.sa_handler == SIG_IGN) continue;

    struct sigaction action {};

    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
  }
}

/// Others may still be making files in it.
void remove_for_good(const std::filesystem::path& directory) {
  constexpr int tries_max = 100;
  for (int tries = 0; tries < tries_max; ++tries) {
    std::error_code error;
    std::filesystem::remove_all(directory, error);
    if (!error && !std::filesystem::exists(directory, error)) return;
  }
}

}  // namespace

std::unique_ptr<Workplace> Workplace::make(bool keep) {
  auto directory = testkit::TempDir::make("mizan-prove");
  if (directory == nullptr) return nullptr;
  if (keep) directory->keep();
  std::unique_ptr<Workplace> place(new Workplace(std::move(directory)));
  if (!keep) place->watch_signals();
  return place;
}

void Workplace::watch_signals() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;  // Then a signal leaves the files behind.
  notices = ends[1];
  watcher_ = std::thread([this, from = ends[0]] {
    name_this_thread("prove-signals");
    unsigned char number = 0;
    ssize_t got = 0;
    do {
      got = ::read(from, &number, 1);
    } while (got < 0 && errno == EINTR);
    ::close(from);
    if (got != 1 || number == 0) return;
    remove_for_good(path());
    // Ends as it would have without a handler, so that the shell sees why.
    ::signal(number, SIG_DFL);
    ::kill(::getpid(), number);
  });
  set_handler(tell_watcher);
}

Workplace::~Workplace() {
  if (!watcher_.joinable()) return;
  set_handler(SIG_DFL);
  tell_watcher(0);
  watcher_.join();
  ::close(notices.exchange(-1));
}

}  // namespace mizan::prover
