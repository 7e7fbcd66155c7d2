#include "prover/workers/line_socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace mizan::prover {

namespace {

Error socket_error(const char* step) {
  return unavailable(std::string("prover: ") + step, std::strerror(errno));
}

Result<sockaddr_un> address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.size() >= sizeof(address.sun_path)) {
    return invalid_request("prover: socket", "the path is too long: " + text);
  }
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

Descriptor::~Descriptor() {
  close();
}

void Descriptor::close() noexcept {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

LineSocket::LineSocket(Descriptor socket) noexcept : socket_(std::move(socket)) {}

Result<LineSocket> LineSocket::connect(const std::filesystem::path& path) {
  const auto address = address_of(path);
  if (!address) return address.error();
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.number() < 0) return socket_error("socket");
  if (::connect(socket.number(), generic(*address), sizeof(sockaddr_un)) != 0) {
    return socket_error("connect");
  }
  return LineSocket(std::move(socket));
}

Status LineSocket::send(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t sent = ::send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return socket_error("send");
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

Result<std::string> LineSocket::receive(std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{socket_.number(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return unavailable("prover: receive", "no line before the deadline");
    std::array<char, 4096> chunk{};
    const ssize_t got = ::recv(socket_.number(), chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return unavailable("prover: receive", "the other side is gone");
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Result<std::string> LineSocket::exchange(std::string_view line, std::chrono::milliseconds wait) {
  const Status sent = send(line);
  if (!sent) return sent.error();
  return receive(wait);
}

Result<Descriptor> listen_on(const std::filesystem::path& path) {
  const auto address = address_of(path);
  if (!address) return address.error();
  ::unlink(path.c_str());
  Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (listener.number() < 0) return socket_error("socket");
  if (::bind(listener.number(), generic(*address), sizeof(sockaddr_un)) != 0) {
    return socket_error("bind");
  }
  if (::listen(listener.number(), 64) != 0) return socket_error("listen");
  return listener;
}

Result<LineSocket> accept_on(const Descriptor& listener) {
  for (;;) {
    const int socket = ::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 && errno == EINTR) continue;
    if (socket < 0) return socket_error("accept");
    return LineSocket(Descriptor(socket));
  }
}

}  // namespace mizan::prover
