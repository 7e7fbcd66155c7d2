#pragma once

#include "mizan/clock.hpp"
#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include "lock/redis/tls.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::redis {

[[nodiscard]] std::string to_text(const RedisAddress& address);

/// A TCP connection, with TLS over it where asked for, whose every step has a deadline. One thread
/// at a time.
class Socket {
 public:
  /// Tries each of the host's addresses. The lookup of a name itself knows no deadline.
  [[nodiscard]] static Result<Socket> connect(const RedisAddress& address, Deadline deadline);

  Socket(Socket&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        peer_(std::move(other.peer_)),
        tls_(std::move(other.tls_)) {}

  Socket& operator=(Socket&&) = delete;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  /// From here on everything is sealed; the certificate must be the host's.
  [[nodiscard]] Status start_tls(const TlsContext& context,
                                 const std::string& host,
                                 Deadline deadline);

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  [[nodiscard]] const std::string& peer() const noexcept { return peer_; }

  [[nodiscard]] Status send(std::string_view bytes, Deadline deadline);

  /// At least one byte. The end of the stream is an error.
  [[nodiscard]] Result<std::size_t> receive(std::span<char> into, Deadline deadline);

  /// What is there already, maybe nothing (0).
  [[nodiscard]] Result<std::size_t> receive_available(std::span<char> into);

  /// Would a read return at once? On an idle connection that means that it is over.
  [[nodiscard]] bool is_readable() const noexcept;

 private:
  Socket(int descriptor, std::string peer) : descriptor_(descriptor), peer_(std::move(peer)) {}

  [[nodiscard]] Status send_raw(std::string_view bytes, Deadline deadline);
  [[nodiscard]] Result<std::size_t> receive_raw(std::span<char> into, Deadline deadline);
  /// 0: nothing is there.
  [[nodiscard]] Result<std::size_t> receive_raw_available(std::span<char> into);
  [[nodiscard]] Status finish_connecting(Deadline deadline) const;
  [[nodiscard]] Status await(short events, Deadline deadline) const;
  [[nodiscard]] Error failed(std::string_view step, int error) const;

  int descriptor_;
  std::string peer_;
  std::unique_ptr<TlsSession> tls_;  // Null: in the clear.
};

}  // namespace mizan::redis
