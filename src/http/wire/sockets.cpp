#include "http/wire/sockets.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <string>
#include <utility>

namespace mizan::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Socket = asio::ip::tcp::socket;

std::string peer_of(const Socket& socket) {
  error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? std::string() : endpoint.address().to_string();
}

void close_quietly(Socket& socket) noexcept {
  error_code ignored;
  socket.close(ignored);
}

class PlainConnection final : public Connection {
 public:
  PlainConnection(IoLoop& loop, Socket socket)
      : Connection(loop, peer_of(socket)), socket_(std::move(socket)) {}

 private:
  void begin_read(char* into, std::size_t size) override {
    socket_.async_read_some(
        asio::buffer(into, size),
        [this, self = shared_from_this()](const error_code& error, std::size_t read) {
          on_read(!error, read);
        });
  }

  std::size_t write_now(std::string_view text) override {
    error_code error;
    // An error other than "not now" is found again by the write that follows.
    const std::size_t size = socket_.write_some(asio::buffer(text.data(), text.size()), error);
    return error ? 0 : size;
  }

  void begin_write(std::string_view text) override {
    asio::async_write(socket_,
                      asio::buffer(text.data(), text.size()),
                      [this, self = shared_from_this()](const error_code& error, std::size_t) {
                        on_written(!error);
                      });
  }

  void begin_shutdown() override {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }

  void close_socket() noexcept override { close_quietly(socket_); }

  Socket socket_;
};

class TlsConnection final : public Connection {
 public:
  TlsConnection(IoLoop& loop, Socket socket, asio::ssl::context& tls)
      : Connection(loop, peer_of(socket)), stream_(std::move(socket), tls) {}

  void start() override {
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [this, self = shared_from_this()](const error_code& error) {
                              if (error) return close();
                              opened();
                            });
  }

 private:
  void begin_read(char* into, std::size_t size) override {
    stream_.async_read_some(
        asio::buffer(into, size),
        [this, self = shared_from_this()](const error_code& error, std::size_t read) {
          on_read(!error, read);
        });
  }

  std::size_t write_now(std::string_view /*text*/) override { return 0; }

  void begin_write(std::string_view text) override {
    asio::async_write(stream_,
                      asio::buffer(text.data(), text.size()),
                      [this, self = shared_from_this()](const error_code& error, std::size_t) {
                        on_written(!error);
                      });
  }

  void begin_shutdown() override {
    // The end of what we have to say; whether the client says the same is not waited for.
    stream_.async_shutdown([this, self = shared_from_this()](const error_code&) {
      error_code ignored;
      stream_.next_layer().shutdown(Socket::shutdown_send, ignored);
    });
  }

  void close_socket() noexcept override { close_quietly(stream_.next_layer()); }

  asio::ssl::stream<Socket> stream_;
};

}  // namespace

std::shared_ptr<Connection> make_connection(IoLoop& loop, Socket socket, asio::ssl::context* tls) {
  error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket.non_blocking(true, ignored);
  if (tls == nullptr) return std::make_shared<PlainConnection>(loop, std::move(socket));
  return std::make_shared<TlsConnection>(loop, std::move(socket), *tls);
}

}  // namespace mizan::http
