#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <string>
#include <utility>
#include <vector>

namespace mizan::testkit {

/// A connection to a Redis server for tests, without a client library: one command, one reply.
/// One thread at a time.
class RedisWire {
 public:
  /// To 127.0.0.1. `unavailable` when nobody answers.
  [[nodiscard]] static Result<RedisWire> connect(int port, Deadline deadline);

  RedisWire(RedisWire&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), unread_(std::move(other.unread_)) {}

  RedisWire& operator=(RedisWire&&) = delete;
  RedisWire(const RedisWire&) = delete;
  RedisWire& operator=(const RedisWire&) = delete;
  ~RedisWire();

  /// The reply as text: a status, a number, a string; the items of an array on a line each; empty
  /// for nil. An error reply is an error with its text.
  [[nodiscard]] Result<std::string> ask(const std::vector<std::string>& words, Deadline deadline);

 private:
  explicit RedisWire(int descriptor) noexcept : descriptor_(descriptor) {}

  [[nodiscard]] Status fill(Deadline deadline);
  [[nodiscard]] Result<std::string> read_line(Deadline deadline);
  [[nodiscard]] Result<std::string> read_bulk(std::size_t size, Deadline deadline);
  [[nodiscard]] Result<std::string> read_reply(Deadline deadline);

  int descriptor_ = -1;
  std::string unread_;
};

}  // namespace mizan::testkit
