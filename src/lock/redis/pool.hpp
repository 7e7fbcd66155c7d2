#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include "base/mutex.hpp"
#include "lock/redis/connection.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mizan::redis {

/// How long a server that failed is left alone: doubling, at most two seconds.
class Patience {
 public:
  /// Why nothing is asked now; nothing when it may be.
  [[nodiscard]] std::optional<Error> refusal(Instant now) const;
  void failed(const Error& error, Instant now);
  void worked() noexcept;

 private:
  std::optional<Error> last_;
  Instant until_{};
  std::chrono::milliseconds pause_{0};
};

struct Timeouts {
  std::chrono::milliseconds connect;
  std::chrono::milliseconds command;
};

/// The connections to one server. A connection that failed is closed, and nothing that was sent
/// over it is sent again. Any thread may call it.
class Pool {
 public:
  using Open = std::function<Result<std::unique_ptr<Connection>>(Deadline)>;

  Pool(Open open, Timeouts timeouts, std::size_t idle_max)
      : open_(std::move(open)), timeouts_(timeouts), idle_max_(idle_max) {}

  /// One exchange per command, over one connection; the last reply. `unknown` where the last
  /// command was sent and not answered: it may have been carried out. Fails at once while the
  /// server is left alone. Ends at the deadline; one that comes soon says nothing about the server.
  [[nodiscard]] Result<Reply> ask(std::span<const std::span<const std::string_view>> commands,
                                  Deadline deadline);

 private:
  [[nodiscard]] Result<std::unique_ptr<Connection>> take(Deadline deadline);
  void give_back(std::unique_ptr<Connection> connection);
  Error note_failure(Error error);

  /// The same, unless the caller's own deadline ended it before the server had a fair chance.
  Error note_failure_by(Deadline deadline, Instant asked, Error error);

  const Open open_;
  const Timeouts timeouts_;
  const std::size_t idle_max_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_ MIZAN_GUARDED_BY(mutex_);
  Patience patience_ MIZAN_GUARDED_BY(mutex_);
};

}  // namespace mizan::redis
