#pragma once

#include "mizan/clock.hpp"
#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include "lock/redis/reply.hpp"
#include "lock/redis/socket.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct redisReader;

namespace mizan::redis {

/// How a connection introduces itself.
struct Login {
  std::string user;
  std::string password;
  std::uint32_t database = 0;
  std::shared_ptr<const TlsContext> tls{};  ///< Null: in the clear. Shared by all connections.
};

/// One connection to one server. An error of the transport leaves it broken: nothing is ever sent
/// a second time by itself. One thread at a time.
class Connection {
 public:
  /// Connects, and logs in where the login says so.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const RedisAddress& address,
                                                                const Login& login,
                                                                Deadline deadline);

  /// One command and its reply, which may be an error of the server's.
  [[nodiscard]] Result<Reply> ask(std::span<const std::string_view> words, Deadline deadline);

  [[nodiscard]] Status send(std::span<const std::string_view> words, Deadline deadline);

  /// The next reply; `unavailable` when none came in time, after which the connection is broken.
  [[nodiscard]] Result<Reply> receive(Deadline deadline);

  /// A reply that is there already; nothing when none is whole yet. Reads what has arrived.
  [[nodiscard]] Result<std::optional<Reply>> poll();

  [[nodiscard]] bool is_broken() const noexcept { return broken_; }

  /// On a connection that nobody waits on: did the server end it?
  [[nodiscard]] bool is_over() const noexcept { return broken_ || socket_.is_readable(); }

  [[nodiscard]] int descriptor() const noexcept { return socket_.descriptor(); }

  [[nodiscard]] const std::string& peer() const noexcept { return socket_.peer(); }

 private:
  struct CloseReader {
    void operator()(redisReader* reader) const noexcept;
  };

  explicit Connection(Socket socket);

  [[nodiscard]] Status log_in(const Login& login, Deadline deadline);
  [[nodiscard]] Result<std::optional<Reply>> parse();
  [[nodiscard]] Status fill(Deadline deadline);
  [[nodiscard]] Status feed(std::span<const char> bytes);

  Socket socket_;
  std::unique_ptr<redisReader, CloseReader> reader_;
  bool broken_ = false;
};

/// The failure of a command that changes nothing of what was asked for: nobody minds whether it was
/// carried out all the same.
[[nodiscard]] Error without_doubt(Error error);

/// An error reply as an error of ours; `what` is what was asked. Text of the server's is escaped.
[[nodiscard]] Error to_error(std::string_view what, const Reply& reply);

}  // namespace mizan::redis
