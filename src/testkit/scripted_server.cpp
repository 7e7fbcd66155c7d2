#include "testkit/scripted_server.hpp"

#include "base/mutex.hpp"
#include "base/text.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <list>
#include <thread>
#include <utility>

namespace mizan::testkit {
namespace {

constexpr const char* where = "scripted server";

/// Of the body that a request's head announces; 0 where it announces none.
std::size_t content_length(std::string_view head) {
  std::string lower(head);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  constexpr std::string_view name = "\r\ncontent-length: ";
  const std::size_t at = lower.find(name);
  if (at == std::string::npos) return 0;
  const std::size_t begin = at + name.size();
  const auto number =
      parse_unsigned(std::string_view(lower).substr(begin, lower.find('\r', begin) - begin));
  return static_cast<std::size_t>(number.value_or(0));
}

Result<int> listen_somewhere(std::uint16_t& port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  const bool listens = listener >= 0 && ::bind(listener, plain, size) == 0 &&
                       ::listen(listener, 64) == 0 && ::getsockname(listener, plain, &size) == 0;
  if (!listens) {
    const int error = errno;
    if (listener >= 0) ::close(listener);
    return internal_error(where, std::strerror(error));
  }
  port = ntohs(address.sin_port);
  return listener;
}

}  // namespace

std::optional<std::string> ScriptedConnection::read_request() {
  constexpr std::string_view blank_line = "\r\n\r\n";
  std::size_t head = 0;
  while ((head = unread_.find(blank_line)) == std::string::npos) {
    if (!read_more()) return std::nullopt;
  }
  const std::size_t whole =
      head + blank_line.size() + content_length(std::string_view(unread_).substr(0, head + 2));
  while (unread_.size() < whole) {
    if (!read_more()) return std::nullopt;
  }
  std::string request = unread_.substr(0, whole);
  unread_.erase(0, whole);
  return request;
}

bool ScriptedConnection::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool ScriptedConnection::answer(int status, std::string_view body) {
  return send("HTTP/1.1 " + std::to_string(status) +
              " Scripted\r\nContent-Type: application/json\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
}

void ScriptedConnection::be_silent() {
  while (read_more()) unread_.clear();
}

bool ScriptedConnection::read_more() {
  std::array<char, 16'384> bytes{};
  while (true) {
    const ssize_t count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }
}

class ScriptedServer::Impl {
 public:
  Impl(int listener, std::uint16_t port, Script script)
      : port_(port),
        listener_(listener),
        script_(std::move(script)),
        thread_([this] { accept(); }) {}

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    {
      const MutexLock lock(mutex_);
      for (const Served& served : served_) {
        if (served.descriptor >= 0) ::shutdown(served.descriptor, SHUT_RDWR);
      }
    }
    for (Served& served : served_) served.thread.join();
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  struct Served {
    int descriptor = -1;
    std::thread thread;
  };

  void accept() {
    while (true) {
      const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (descriptor < 0 && errno == EINTR) continue;
      if (descriptor < 0) return;
      const MutexLock lock(mutex_);
      Served& served = served_.emplace_back(Served{descriptor, {}});
      served.thread = std::thread([this, &served, descriptor] { serve(served, descriptor); });
    }
  }

  void serve(Served& served, int descriptor) {
    ScriptedConnection connection(descriptor);
    script_(connection);
    const MutexLock lock(mutex_);
    served.descriptor = -1;
    ::close(descriptor);
  }

  const std::uint16_t port_;
  const int listener_;
  const Script script_;
  Mutex mutex_;
  std::list<Served> served_;
  std::thread thread_;  // Last, so that it starts when the rest is there.
};

ScriptedServer::ScriptedServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ScriptedServer::~ScriptedServer() = default;

Result<std::unique_ptr<ScriptedServer>> ScriptedServer::start(Script script) {
  std::uint16_t port = 0;
  auto listener = listen_somewhere(port);
  if (!listener) return std::move(listener).error();
  auto impl = std::make_unique<Impl>(*listener, port, std::move(script));
  return std::unique_ptr<ScriptedServer>(new ScriptedServer(std::move(impl)));
}

std::uint16_t ScriptedServer::port() const noexcept {
  return impl_->port();
}

std::string ScriptedServer::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port()) + std::string(path);
}

}  // namespace mizan::testkit
