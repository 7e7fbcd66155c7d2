#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::http_client {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method = "GET";  ///< GET, HEAD, POST, PUT, PATCH or DELETE.
  std::string url;             ///< http:// or https://, percent-encoded, without user and password.
  Headers headers;             ///< Beside Host and Content-Length, which are set by themselves.
  std::string body;
  Deadline deadline = Deadline::max();  ///< Of the whole exchange; `max()`: 30 s from the call.
};

struct Answer {
  int status = 0;   ///< 200–599; never an interim one.
  Headers headers;  ///< Names in lower case, in order of arrival.
  std::string body;

  /// The first header of that name, given in lower case; empty where there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

/// Sends requests. Redirects are answers like others and are not followed; no proxy, no cookie, no
/// password file and no environment variable is used; a header's value is never in a message.
/// Threads: any number may call at once.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client();

  /// Sends the request once and waits for the answer, whatever its status is. (A GET or HEAD on a
  /// connection that turns out to be closed is sent again on a new one.)
  ///
  /// Errors:  `invalid_request` for a request that cannot be sent as it is; `unavailable` with
  ///          Certainty::not_applied while nothing had been sent (no address, no connection, no
  ///          trust in the certificate: then Retry::never); `unknown` with Certainty::unknown once
  ///          any byte of it may have left: the other side may have acted on it.
  /// Blocks:  up to the deadline.
  [[nodiscard]] virtual Result<Answer> exchange(const Request& request) = 0;
};

struct Options {
  // Changes behaviour.
  std::string
      ca_file;  ///< Certificates to trust (PEM) instead of the system's; empty: the system's.
  bool public_addresses_only = false;  ///< No connection to an address that is not public.
  std::chrono::milliseconds connect_time{5'000};  ///< For address, connection and TLS handshake.
  std::size_t headers_size_max = std::size_t{64} * 1024;      ///< Of an answer, in bytes.
  std::size_t body_size_max = std::size_t{64} * 1024 * 1024;  ///< Of an answer, in bytes.

  // Changes performance.
  std::size_t idle_connections_max = 16;  ///< Kept open for the next request.
};

/// `clock` must outlive the client.
[[nodiscard]] std::unique_ptr<Client> make_client(const Clock& clock, Options options = {});

}  // namespace mizan::http_client
