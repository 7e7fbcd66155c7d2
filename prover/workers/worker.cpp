// A process that takes leases through its own lock service and pays: through the owner, or on a
// server of its own account. Standard input: `acquire RESOURCE TTL_MS WAIT_MS`, `release`, and
// everything that a Desk understands (`apply …`, `wallet ID`); one line of answer each.

#include "mizan/lock.hpp"

#include "base/mutex.hpp"
#include "prover/workers/child.hpp"
#include "prover/workers/desk.hpp"
#include "prover/workers/line_socket.hpp"
#include "prover/workers/protocol.hpp"
#include "prover/workers/roles.hpp"
#include "prover/workers/standard_lines.hpp"

#include <charconv>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mizan::prover {

namespace {

std::int64_t to_number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The owner's lease table, over a connection of its own.
class RemoteLeaseTable final : public LeaseTable {
 public:
  explicit RemoteLeaseTable(LineSocket socket) noexcept : socket_(std::move(socket)) {}

  Result<LeaseAttempt> acquire(const Resource& resource,
                               const LockOwner& owner,
                               std::chrono::milliseconds ttl) override {
    auto line =
        ask("acquire " + resource.str() + ' ' + owner.str() + ' ' + std::to_string(ttl.count()));
    if (!line) return std::move(line).error();
    const auto fields = split_fields(*line);
    if (fields.size() == 3 && fields[0] == "granted") {
      return LeaseAttempt{LeaseGranted{FenceToken{to_number(fields[1])},
                                       std::chrono::milliseconds{to_number(fields[2])}}};
    }
    if (fields.size() == 2 && fields[0] == "held") {
      return LeaseAttempt{LeaseHeld{std::chrono::milliseconds{to_number(fields[1])}}};
    }
    return unavailable("prover: lease", *line);
  }

  Result<bool> renew(const Resource& resource,
                     const LockOwner& owner,
                     std::chrono::milliseconds ttl) override {
    return ask_yes("renew " + resource.str() + ' ' + owner.str() + ' ' +
                   std::to_string(ttl.count()));
  }

  Result<bool> release(const Resource& resource, const LockOwner& owner) override {
    return ask_yes("release " + resource.str() + ' ' + owner.str());
  }

 private:
  Result<std::string> ask(const std::string& line) {
    const MutexLock lock(mutex_);
    return socket_.exchange(line, child_wait);
  }

  Result<bool> ask_yes(const std::string& line) {
    auto answer = ask(line);
    if (!answer) return std::move(answer).error();
    if (*answer != "yes" && *answer != "no") return unavailable("prover: lease", *answer);
    return *answer == "yes";
  }

  Mutex mutex_;
  LineSocket socket_ MIZAN_GUARDED_BY(mutex_);
};

std::string acquire(LockService& locks,
                    const std::vector<std::string_view>& fields,
                    std::optional<Lease>& lease) {
  AcquireRequest request;
  request.resource = Resource{fields.at(1)};
  request.ttl = std::chrono::milliseconds{to_number(fields.at(2))};
  request.wait_until = system_clock().now() + std::chrono::milliseconds{to_number(fields.at(3))};
  auto outcome = locks.acquire(std::move(request));
  if (!outcome) return "error " + outcome.error().detail;
  auto* held = std::get_if<Lease>(&*outcome);
  if (held == nullptr) return "busy";
  lease.emplace(std::move(*held));
  return "lease " + std::to_string(lease->token().value()) + ' ' + lease->owner().str();
}

using Ask = std::function<std::string(const std::string& line)>;

void serve(LockService& locks, const Ask& pass_on) {
  std::optional<Lease> lease;
  write_line("ready");
  while (const auto line = read_command()) {
    const auto fields = split_fields(*line);
    if (fields.size() == 4 && fields.front() == "acquire") {
      write_line(acquire(locks, fields, lease));
    } else if (*line == "release") {
      const bool released = lease && lease->release() == Release::released;
      write_line(released ? "released" : "not_held");
    } else {
      write_line(pass_on(*line));
    }
  }
}

int work_on_server(std::span<const std::string_view> words) {
  const auto desk = Desk::open(words);
  if (!desk) {
    write_line(error_line(desk.error()));
    return 3;
  }
  const auto locks = make_lock_service("prover", (*desk)->leases(), system_clock());
  serve(*locks, [&desk](const std::string& line) { return (*desk)->answer(line); });
  return 0;
}

}  // namespace

int run_worker(std::span<const std::string_view> words) {
  if (words.size() == Desk::words_count) return work_on_server(words);
  if (words.size() != 1) return 1;
  auto leases_socket = LineSocket::connect(std::filesystem::path(words[0]));
  auto socket = LineSocket::connect(std::filesystem::path(words[0]));
  if (!leases_socket || !socket) return 3;
  RemoteLeaseTable table(std::move(*leases_socket));
  const auto locks = make_lock_service("prover", table, system_clock());
  serve(*locks, [&socket](const std::string& line) {
    const auto answer = socket->exchange(line, child_wait);
    return answer ? *answer : "error unavailable 1 " + answer.error().detail;
  });
  return 0;
}

}  // namespace mizan::prover
