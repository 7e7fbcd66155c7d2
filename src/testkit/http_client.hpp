#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::testkit {

struct HttpAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Names in lower case.
  std::string body;

  /// The first header of that name, in lower case; empty where there is none.
  [[nodiscard]] std::string header(std::string_view name) const;
};

struct HttpRequest {
  std::string method = "GET";
  std::string target = "/";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Beside Host and the body's.
};

/// The request as it goes over the wire; a body that is there is JSON unless a header says else.
[[nodiscard]] std::string to_text(const HttpRequest& request);

/// A small client of HTTP/1.1 over one connection to 127.0.0.1. Movable; one thread at a time.
class HttpClient {
 public:
  [[nodiscard]] static Result<HttpClient> connect(std::uint16_t port);

  HttpClient(HttpClient&& other) noexcept;
  HttpClient& operator=(HttpClient&& other) noexcept;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  /// Sends and waits for the answer.
  [[nodiscard]] Result<HttpAnswer> ask(const HttpRequest& request, Deadline deadline);

  /// Bytes as they are; blocks while the other side does not take them.
  [[nodiscard]] Status send(std::string_view text);

  /// The next answer. `unavailable` where it does not come in time or the connection ends before.
  /// `without_body`: the answer to a HEAD.
  [[nodiscard]] Result<HttpAnswer> receive(Deadline deadline, bool without_body = false);

  /// True when the server closes the connection, with nothing else sent, before the deadline.
  [[nodiscard]] bool ends(Deadline deadline);

  /// No more from us; answers can still be received.
  void finish_sending() noexcept;

 private:
  explicit HttpClient(int descriptor) noexcept : descriptor_(descriptor) {}

  /// Some more bytes into `unread_`; false at the end or the deadline.
  [[nodiscard]] bool read_more(Deadline deadline);

  int descriptor_ = -1;
  std::string unread_;
};

}  // namespace mizan::testkit
