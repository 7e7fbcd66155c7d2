#pragma once

#include "mizan/result.hpp"

#include "http/server.hpp"
#include "http/wire/io_loop.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mizan::http {

/// Accepts clients and deals them out to the loops. Runs on the first loop's thread.
class Listener {
 public:
  using Loops = std::vector<std::unique_ptr<IoLoop>>;

  /// Everything that is referred to outlives the loops' threads.
  [[nodiscard]] static Result<std::unique_ptr<Listener>> open(
      const ServerOptions& options, const Loops& loops, std::atomic<std::size_t>& connections);

  [[nodiscard]] const std::string& address() const noexcept { return address_; }

  /// Accepts nobody any more. Any thread; blocks for a moment.
  void stop();

 private:
  Listener(const ServerOptions& options, const Loops& loops, std::atomic<std::size_t>& connections);

  [[nodiscard]] Status prepare_tls();
  [[nodiscard]] Status listen();
  void accept();
  void welcome(boost::asio::ip::tcp::socket socket, IoLoop& loop);
  void welcome_queued();
  void rest();

  const ServerOptions& options_;
  const Loops& loops_;
  std::atomic<std::size_t>& connections_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  std::optional<boost::asio::ssl::context> tls_;
  std::string address_;
  std::size_t next_ = 0;
};

}  // namespace mizan::http
