#include "testkit/redis_wire.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace mizan::testkit {
namespace {

constexpr const char* where = "test redis";

Error failed(const char* step) {
  return unavailable(where, std::string(step) + ": " + std::strerror(errno));
}

int milliseconds_until(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - system_clock().now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000));
}

}  // namespace

Result<RedisWire> RedisWire::connect(int port, Deadline deadline) {
  RedisWire wire(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (wire.descriptor_ < 0) return failed("socket");
  const timeval patience{milliseconds_until(deadline) / 1'000 + 1, 0};
  ::setsockopt(wire.descriptor_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(wire.descriptor_, generic, sizeof address) != 0) return failed("connect");
  return wire;
}

RedisWire::~RedisWire() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::string> RedisWire::ask(const std::vector<std::string>& words, Deadline deadline) {
  std::string request = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    request += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  if (::send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    return failed("send");
  }
  return read_reply(deadline);
}

Status RedisWire::fill(Deadline deadline) {
  while (true) {
    pollfd ready{descriptor_, POLLIN, 0};
    const int polled = ::poll(&ready, 1, milliseconds_until(deadline));
    if (polled < 0 && errno != EINTR) return failed("poll");
    if (polled > 0) break;
    if (system_clock().now() >= deadline) return unavailable(where, "no reply came in time");
  }
  std::array<char, 16'384> buffer{};
  const ssize_t got = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
  if (got < 0) return failed("recv");
  if (got == 0) return unavailable(where, "the server closed the connection");
  unread_.append(buffer.data(), static_cast<std::size_t>(got));
  return {};
}

Result<std::string> RedisWire::read_line(Deadline deadline) {
  std::size_t end = 0;
  while ((end = unread_.find("\r\n")) == std::string::npos) {
    if (Status filled = fill(deadline); !filled) return filled.error();
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 2);
  return line;
}

Result<std::string> RedisWire::read_bulk(std::size_t size, Deadline deadline) {
  while (unread_.size() < size + 2) {
    if (Status filled = fill(deadline); !filled) return filled.error();
  }
  std::string text = unread_.substr(0, size);
  unread_.erase(0, size + 2);
  return text;
}

Result<std::string> RedisWire::read_reply(Deadline deadline) {
  auto line = read_line(deadline);
  if (!line) return line;
  const char kind = line->empty() ? '-' : line->front();
  std::string rest = line->empty() ? "an empty line" : line->substr(1);
  if (kind == '-') return internal_error(where, std::move(rest));
  if (kind != '$' && kind != '*') return rest;
  const long size = std::strtol(rest.c_str(), nullptr, 10);
  if (size < 0) return std::string();
  if (kind == '$') return read_bulk(static_cast<std::size_t>(size), deadline);
  std::string all;
  for (long item = 0; item < size; ++item) {
    // NOLINTNEXTLINE(misc-no-recursion): replies nest two or three deep.
    auto text = read_reply(deadline);
    if (!text) return text;
    all += (item == 0 ? "" : "\n") + *text;
  }
  return all;
}

}  // namespace mizan::testkit
