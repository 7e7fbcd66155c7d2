#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "base/random.hpp"
#include "http/log.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mizan::http {

/// Sizes are in bytes. What crosses a limit is refused with a status that says so.
struct ServerOptions {
  // Changes behaviour.
  std::string address = "127.0.0.1";  ///< An IP address; "0.0.0.0" or "::" for all.
  std::uint16_t port = 7780;          ///< 0: a free one.
  std::string tls_certificate_file;   ///< PEM, with the chain; empty: no TLS.
  std::string tls_key_file;
  /// Names that `Host` may have beside localhost and IP addresses; absent: every name.
  std::optional<std::vector<std::string>> allowed_hosts;
  std::chrono::milliseconds answer_time{30'000};  ///< From a request's first byte to its answer.
  std::chrono::milliseconds read_time{15'000};    ///< For a whole request.
  std::chrono::milliseconds idle_time{75'000};    ///< Between two requests.
  std::chrono::milliseconds write_time{30'000};   ///< For the client to take an answer.
  std::chrono::milliseconds stop_time{30'000};    ///< For what was accepted when told to stop.
  std::size_t connections_max = 4'096;
  std::size_t requests_max = 16'384;  ///< In flight, over all connections.
  std::size_t pipeline_max = 128;     ///< In flight on one connection; then it is not read.
  std::size_t header_max = std::size_t{16} * 1024;
  std::size_t bodies_max = std::size_t{512} << 20;   ///< Of large bodies, over all connections.
  std::size_t answers_max = std::size_t{256} << 20;  ///< Likewise of answers that nobody has taken.

  // Changes performance.
  std::size_t io_threads = 1;
  std::size_t read_threads = 4;   ///< For reads of the store.
  std::size_t write_threads = 8;  ///< For writes that block: all but plain batched operations.
};

/// What the server serves; everything outlives it.
struct Served {
  Ledger& ledger;
  Store& store;
  LockService& locks;                    ///< For /v1/locks.
  LockService* required_lock = nullptr;  ///< Not ready while it cannot be reached; null: none.
  std::function<std::uint64_t()> epochs_drawn;  ///< For metrics; may be empty.
  const Clock& clock;
  Random& random;
  Log& log;
  bool asks_for_keys = false;  ///< Of the store's key table, which must be there.
  bool submits = true;         ///< The ledger has no lock and the batched strategy.
};

/// The ledger and the locks over HTTP/1.1.
/// Threads: its own. `stop` and the observers may be called from any thread.
class Server {
 public:
  /// Listens and serves from now on. Errors: `invalid_request` for an address or a certificate
  /// that cannot be used; `unavailable` where the port is taken.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(const Served& served,
                                                             ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();  ///< As `stop`.

  /// The address with its port, e.g. "127.0.0.1:7780".
  [[nodiscard]] const std::string& address() const noexcept;

  /// Whether each thread that serves connections takes up new work within that time. Blocks for as
  /// long.
  [[nodiscard]] bool is_alive(std::chrono::milliseconds within);

  /// Becomes not ready, accepts nobody any more, answers what was accepted, closes. A request of
  /// which something is there may come to its end within `read_time`; at `stop_time` it is refused.
  /// Idempotent. Blocks: up to the longer of `stop_time` and the deadline of a request that was
  /// accepted, and six seconds for those who read slowly.
  void stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl) noexcept;

  std::unique_ptr<Impl> impl_;
};

}  // namespace mizan::http
