#pragma once

#include "mizan/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::testkit {

/// One connection of a ScriptedServer. One thread.
class ScriptedConnection {
 public:
  explicit ScriptedConnection(int descriptor) noexcept : descriptor_(descriptor) {}

  /// The next request, head and body by its Content-Length; nothing once the client has gone.
  [[nodiscard]] std::optional<std::string> read_request();

  /// Sends bytes as they are; false once the client has gone.
  bool send(std::string_view text);

  /// An answer with a body of JSON.
  bool answer(int status, std::string_view body);

  /// Says nothing until the client goes or the server ends.
  void be_silent();

 private:
  [[nodiscard]] bool read_more();

  int descriptor_;
  std::string unread_;
};

/// A server on 127.0.0.1 that does with each connection whatever a test says, lies included. The
/// script runs on one thread per connection and returns to close it. Its end ends them all.
class ScriptedServer {
 public:
  using Script = std::function<void(ScriptedConnection&)>;

  [[nodiscard]] static Result<std::unique_ptr<ScriptedServer>> start(Script script);

  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer();

  [[nodiscard]] std::uint16_t port() const noexcept;

  /// `http://127.0.0.1:PORT`, and the path.
  [[nodiscard]] std::string url(std::string_view path = "") const;

 private:
  class Impl;
  explicit ScriptedServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::testkit
