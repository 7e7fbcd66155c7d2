#include "lock/redis/look_up.hpp"

#include "base/mutex.hpp"
#include "base/thread.hpp"
#include "lock/redis/socket.hpp"

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace mizan::redis {
namespace {

constexpr const char* where = "redis: connection";

/// Each holds a thread until the system gives up, by default after some ten seconds.
constexpr int hanging_max = 16;

/// What the thread and whoever waits for it share; the last of them frees it.
struct Question {
  std::string host;
  std::string port;
  Resolver resolve = nullptr;
  Mutex mutex;
  std::condition_variable_any answered;
  bool is_answered MIZAN_GUARDED_BY(mutex) = false;
  int code MIZAN_GUARDED_BY(mutex) = 0;
  Addresses found MIZAN_GUARDED_BY(mutex){nullptr, &::freeaddrinfo};
};

std::atomic<int>& under_way() {
  static std::atomic<int> count{0};
  return count;
}

addrinfo hints(int flags) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV | flags;
  return wanted;
}

void answer(const std::shared_ptr<Question>& question) {
  name_this_thread("mizan-look-up");
  const addrinfo wanted = hints(0);
  addrinfo* found = nullptr;
  const int code =
      question->resolve(question->host.c_str(), question->port.c_str(), &wanted, &found);
  {
    const MutexLock lock(question->mutex);
    question->code = code;
    question->found.reset(code == 0 ? found : nullptr);
    question->is_answered = true;
  }
  question->answered.notify_all();
  --under_way();
}

/// False: there is no thread to be had.
bool begin(const std::shared_ptr<Question>& question) {
  if (++under_way() <= hanging_max) {
    try {
      std::thread(answer, question).detach();
      return true;
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): told to the caller.
    }
  }
  --under_way();
  return false;
}

}  // namespace

Result<Addresses> look_up(const RedisAddress& address, Deadline deadline, Resolver resolve) {
  const std::string port = std::to_string(address.port);
  const addrinfo numeric = hints(AI_NUMERICHOST);
  addrinfo* read = nullptr;
  if (::getaddrinfo(address.host.c_str(), port.c_str(), &numeric, &read) == 0) {
    return Addresses(read, &::freeaddrinfo);
  }
  const auto question = std::make_shared<Question>();
  question->host = address.host;
  question->port = port;
  question->resolve = resolve;
  if (!begin(question)) {
    return unavailable(where, to_text(address) + ": too many look-ups of names hang");
  }
  MutexLock lock(question->mutex);
  while (!question->is_answered) {
    const std::chrono::nanoseconds left = deadline - system_clock().now();
    if (left <= std::chrono::nanoseconds::zero()) {
      return unavailable(where, to_text(address) + ": the look-up of the name takes too long");
    }
    question->answered.wait_for(lock, left);
  }
  if (question->code != 0) {
    return unavailable(where, to_text(address) + ": " + ::gai_strerror(question->code));
  }
  return std::move(question->found);
}

}  // namespace mizan::redis
