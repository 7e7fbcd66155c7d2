#include "lock/redis/socket.hpp"

#include "lock/redis/look_up.hpp"

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

namespace mizan::redis {
namespace {

constexpr const char* where = "redis: connection";
constexpr std::size_t buffer_size = 16'384;

int milliseconds_until(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - system_clock().now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000));
}

/// Small requests go at once, and a peer that vanished is noticed in the end.
void configure(int descriptor) noexcept {
  const int on = 1;
  const int idle_seconds = 15;
  const int interval_seconds = 5;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof interval_seconds);
}

}  // namespace

std::string to_text(const RedisAddress& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

Error Socket::failed(std::string_view step, int error) const {
  return unavailable(where, peer_ + ": " + std::string(step) + ": " + std::strerror(error));
}

Result<Socket> Socket::connect(const RedisAddress& address, Deadline deadline) {
  auto found = look_up(address, deadline);
  if (!found) return std::move(found).error();
  Error last = unavailable(where, to_text(address) + ": has no address");
  for (const addrinfo* entry = found->get(); entry != nullptr; entry = entry->ai_next) {
    const int type = entry->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
    Socket socket(::socket(entry->ai_family, type, entry->ai_protocol), to_text(address));
    if (socket.descriptor_ < 0) {
      last = socket.failed("socket", errno);
      continue;
    }
    configure(socket.descriptor_);
    const bool begun = ::connect(socket.descriptor_, entry->ai_addr, entry->ai_addrlen) == 0 ||
                       errno == EINPROGRESS;
    Status connected = begun ? socket.finish_connecting(deadline) : socket.failed("connect", errno);
    if (connected) return socket;
    last = std::move(connected).error();
  }
  return last;
}

Socket::~Socket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status Socket::finish_connecting(Deadline deadline) const {
  if (Status ready = await(POLLOUT, deadline); !ready) return ready;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return failed("connect", error);
  return {};
}

Status Socket::await(short events, Deadline deadline) const {
  while (true) {
    pollfd watched{descriptor_, events, 0};
    const int ready = ::poll(&watched, 1, milliseconds_until(deadline));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return failed("poll", errno);
    if (system_clock().now() >= deadline) return unavailable(where, peer_ + ": no answer in time");
  }
}

Status Socket::start_tls(const TlsContext& context, const std::string& host, Deadline deadline) {
  auto session = TlsSession::make(context, host);
  if (!session) return std::move(session).error();
  std::array<char, buffer_size> buffer{};
  while (true) {
    auto done = (*session)->shake_hands();
    // Also after a failure: the last bytes tell the server why.
    Status sent = send_raw((*session)->take_output(), deadline);
    if (!done) return std::move(done).error();
    if (!sent) return sent;
    if (*done) break;
    auto got = receive_raw(buffer, deadline);
    if (!got) return std::move(got).error();
    (*session)->add_input({buffer.data(), *got});
  }
  tls_ = std::move(*session);
  return {};
}

Status Socket::send(std::string_view bytes, Deadline deadline) {
  if (!tls_) return send_raw(bytes, deadline);
  if (Status sealed = tls_->seal(bytes); !sealed) return sealed;
  return send_raw(tls_->take_output(), deadline);
}

Status Socket::send_raw(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return failed("send", errno);
    if (Status ready = await(POLLOUT, deadline); !ready) return ready;
  }
  return {};
}

Result<std::size_t> Socket::receive(std::span<char> into, Deadline deadline) {
  while (true) {
    auto got = receive_available(into);
    if (!got || *got > 0) return got;
    if (Status ready = await(POLLIN, deadline); !ready) return std::move(ready).error();
  }
}

Result<std::size_t> Socket::receive_available(std::span<char> into) {
  if (!tls_) return receive_raw_available(into);
  std::array<char, buffer_size> buffer{};
  while (true) {
    auto opened = tls_->open(into);
    if (!opened || *opened > 0) return opened;
    auto got = receive_raw_available(buffer);
    if (!got || *got == 0) return got;
    tls_->add_input({buffer.data(), *got});
  }
}

Result<std::size_t> Socket::receive_raw(std::span<char> into, Deadline deadline) {
  while (true) {
    auto got = receive_raw_available(into);
    if (!got || *got > 0) return got;
    if (Status ready = await(POLLIN, deadline); !ready) return std::move(ready).error();
  }
}

Result<std::size_t> Socket::receive_raw_available(std::span<char> into) {
  while (true) {
    const ssize_t got = ::recv(descriptor_, into.data(), into.size(), 0);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0) return unavailable(where, peer_ + ": the server closed the connection");
    if (errno == EAGAIN || errno == EWOULDBLOCK) return std::size_t{0};
    if (errno != EINTR) return failed("receive", errno);
  }
}

bool Socket::is_readable() const noexcept {
  pollfd watched{descriptor_, POLLIN, 0};
  return (tls_ && tls_->has_opened()) || ::poll(&watched, 1, 0) != 0;
}

}  // namespace mizan::redis
