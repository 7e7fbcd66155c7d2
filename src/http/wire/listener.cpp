#include "http/wire/listener.hpp"

#include "http/answers.hpp"
#include "http/wire/response_text.hpp"
#include "http/wire/sockets.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <future>
#include <utility>

namespace mizan::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr const char* where = "listen";

Error cannot_listen(const ServerOptions& options, const error_code& error) {
  return unavailable(where,
                     "cannot listen on " + options.address + " port " +
                         std::to_string(options.port) + ": " + error.message());
}

/// Too many are connected: told so as well as it goes without waiting for anything.
void turn_away(tcp::socket socket, const std::string& date) {
  const Response response = transport_response(
      {503, "unavailable", "too many clients are connected; try again in a moment"}, "none");
  std::string text;
  append_response(text, response, {.request_id = "none", .date = date, .close = true});
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(text), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace

Listener::Listener(const ServerOptions& options,
                   const Loops& loops,
                   std::atomic<std::size_t>& connections)
    : options_(options),
      loops_(loops),
      connections_(connections),
      acceptor_(loops.front()->context()),
      pause_(loops.front()->context()) {}

Result<std::unique_ptr<Listener>> Listener::open(const ServerOptions& options,
                                                 const Loops& loops,
                                                 std::atomic<std::size_t>& connections) {
  std::unique_ptr<Listener> listener(new Listener(options, loops, connections));
  if (!options.tls_certificate_file.empty()) {
    if (auto status = listener->prepare_tls(); !status) return std::move(status).error();
  }
  if (auto status = listener->listen(); !status) return std::move(status).error();
  asio::post(loops.front()->context(), [raw = listener.get()] { raw->accept(); });
  return listener;
}

Status Listener::prepare_tls() {
  tls_.emplace(asio::ssl::context::tls_server);
  error_code error;
  tls_->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                        asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_sslv3,
                    error);
  if (!error) tls_->use_certificate_chain_file(options_.tls_certificate_file, error);
  if (error) {
    return invalid_request("/tls_certificate",
                           "the certificate cannot be used: " + error.message());
  }
  tls_->use_private_key_file(options_.tls_key_file, asio::ssl::context::pem, error);
  if (error) return invalid_request("/tls_key", "the key cannot be used: " + error.message());
  return {};
}

Status Listener::listen() {
  error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error) {
    return invalid_request("/listen", "an IP address and a port are expected, as 127.0.0.1:7780");
  }
  const tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) return cannot_listen(options_, error);
  const auto bound = acceptor_.local_endpoint(error);
  const std::string host = bound.address().to_string();
  address_ =
      (bound.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(bound.port());
  return {};
}

void Listener::accept() {
  IoLoop& loop = *loops_[next_++ % loops_.size()];
  acceptor_.async_accept(loop.context(),
                         [this, &loop](const error_code& error, tcp::socket socket) {
                           if (!error) welcome(std::move(socket), loop);
                           if (!acceptor_.is_open()) return;
                           // Out of descriptors, most likely: clients that leave make room.
                           if (error && error != asio::error::connection_aborted) return rest();
                           accept();
                         });
}

void Listener::welcome(tcp::socket socket, IoLoop& loop) {
  if (++connections_ > options_.connections_max) {
    --connections_;
    return turn_away(std::move(socket), loops_.front()->date());
  }
  const auto connection = make_connection(loop, std::move(socket), tls_ ? &*tls_ : nullptr);
  asio::post(loop.context(), [&loop, connection] { loop.add(connection); });
}

void Listener::rest() {
  pause_.expires_after(std::chrono::milliseconds{100});
  pause_.async_wait([this](const error_code& error) {
    if (!error) accept();
  });
}

/// Those for whom the system has accepted already: closing would cut them off, and what they sent.
void Listener::welcome_queued() {
  error_code error;
  acceptor_.non_blocking(true, error);
  for (int i = 0; !error && i < asio::socket_base::max_listen_connections; ++i) {
    IoLoop& loop = *loops_[next_++ % loops_.size()];
    tcp::socket socket(loop.context());
    acceptor_.accept(socket, error);
    if (!error) welcome(std::move(socket), loop);
  }
}

void Listener::stop() {
  std::promise<void> done;
  asio::post(loops_.front()->context(), [this, &done] {
    welcome_queued();
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace mizan::http
