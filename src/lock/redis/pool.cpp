#include "lock/redis/pool.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mizan::redis {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds pause_first{20};
constexpr milliseconds pause_longest{2'000};

/// A reply that says that this is not the server to ask, or not now.
bool ends_connection(const Reply& reply) {
  const std::string_view code = reply.is_error() ? reply.error_code() : std::string_view();
  return code == "READONLY" || code == "MASTERDOWN" || code == "LOADING";
}

/// It was sent whole, so it may have been carried out.
Error unanswered(Error error) {
  return {Code::unknown,
          Certainty::unknown,
          Retry::after_backoff,
          std::move(error.where),
          std::move(error.detail)};
}

}  // namespace

std::optional<Error> Patience::refusal(Instant now) const {
  if (!last_ || now >= until_) return std::nullopt;
  return last_;
}

void Patience::failed(const Error& error, Instant now) {
  last_ = error;
  pause_ = std::clamp(pause_ * 2, pause_first, pause_longest);
  const auto half = static_cast<std::uint64_t>(pause_.count()) / 2;
  // Jittered, so that those who lost it together do not come back together.
  until_ = now + pause_ - milliseconds{static_cast<std::int64_t>(system_random().below(half + 1))};
}

void Patience::worked() noexcept {
  last_.reset();
  pause_ = milliseconds{0};
}

Result<std::unique_ptr<Connection>> Pool::take(Deadline deadline) {
  {
    const MutexLock lock(mutex_);
    while (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      if (!connection->is_over()) return connection;
    }
    if (auto refusal = patience_.refusal(system_clock().now())) return std::move(*refusal);
  }
  const Instant asked = system_clock().now();
  auto opened = open_(std::min<Deadline>(asked + timeouts_.connect, deadline));
  if (!opened) return note_failure_by(deadline, asked, std::move(opened).error());
  return opened;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
  const MutexLock lock(mutex_);
  patience_.worked();
  if (idle_.size() < idle_max_) idle_.push_back(std::move(connection));
}

Error Pool::note_failure(Error error) {
  std::vector<std::unique_ptr<Connection>> dropped;  // Closed outside the mutex.
  const MutexLock lock(mutex_);
  dropped.swap(idle_);
  patience_.failed(error, system_clock().now());
  return error;
}

Error Pool::note_failure_by(Deadline deadline, Instant asked, Error error) {
  const Instant now = system_clock().now();
  const bool was_cut_short = now >= deadline && now - asked < timeouts_.command / 4;
  return was_cut_short ? error : note_failure(std::move(error));
}

Result<Reply> Pool::ask(std::span<const std::span<const std::string_view>> commands,
                        Deadline deadline) {
  auto connection = take(deadline);
  if (!connection) return std::move(connection).error();
  Result<Reply> reply = Reply{};
  for (const std::span<const std::string_view>& command : commands) {
    const Instant asked = system_clock().now();
    const Deadline until = std::min<Deadline>(asked + timeouts_.command, deadline);
    if (Status sent = (*connection)->send(command, until); !sent) {
      return note_failure_by(deadline, asked, std::move(sent).error());
    }
    reply = (*connection)->receive(until);
    if (reply) continue;
    Error error = note_failure_by(deadline, asked, std::move(reply).error());
    return &command == &commands.back() ? unanswered(std::move(error)) : error;
  }
  if (ends_connection(*reply)) {
    static_cast<void>(note_failure(to_error("server", *reply)));
  } else {
    give_back(std::move(*connection));
  }
  return reply;
}

}  // namespace mizan::redis
