#pragma once

#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace mizan::redis {

/// What all TLS connections of one lock share: whom to trust, and who we are. Any thread.
class TlsContext {
 public:
  /// `invalid_request` for files that cannot be read, and where the build has no TLS.
  [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> make(const RedisOptions& options);

  class Impl;
  explicit TlsContext(std::unique_ptr<Impl> impl) noexcept;
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext();

  [[nodiscard]] const Impl& impl() const noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// The client's side of one TLS connection, without I/O: whoever owns the socket carries the
/// bytes. One thread at a time.
class TlsSession {
 public:
  /// The certificate will have to be this host's (a name or an IP address).
  [[nodiscard]] static Result<std::unique_ptr<TlsSession>> make(const TlsContext& context,
                                                                const std::string& host);

  class Impl;
  explicit TlsSession(std::unique_ptr<Impl> impl) noexcept;
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;
  ~TlsSession();

  /// True when the hands are shaken; false: carry bytes both ways, then call it again.
  [[nodiscard]] Result<bool> shake_hands();

  /// Seals the text; it is then in `take_output`.
  [[nodiscard]] Status seal(std::string_view text);

  /// Opens what was received; 0: more must be received first.
  [[nodiscard]] Result<std::size_t> open(std::span<char> into);

  [[nodiscard]] bool has_opened() const noexcept;  ///< Is there more of a record that was opened?

  [[nodiscard]] std::string take_output();      ///< Bytes to send.
  void add_input(std::span<const char> bytes);  ///< Bytes that were received.

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::redis
