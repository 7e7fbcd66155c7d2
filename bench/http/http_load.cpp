#include "bench/http/http_load.hpp"

#include "bench/interrupt.hpp"
#include "bench/stopwatch.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::bench {
namespace {

constexpr const char* where = "bench http";

/// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int value) noexcept : value_(value) {}

  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}

  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }

  [[nodiscard]] int get() const noexcept { return value_; }

 private:
  int value_;
};

Result<Descriptor> connect_to(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.get(), generic, sizeof address) != 0) {
    return unavailable(where, "cannot connect to the server");
  }
  const int one = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return socket;
}

/// One connection with at most one request under way.
class Client {
 public:
  explicit Client(Descriptor socket) : socket_(std::move(socket)) {}

  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }

  /// Sends the next request; blocks while the server does not take it.
  [[nodiscard]] Status send(const HttpLoad& load, Ticks::time_point intended) {
    load.refresh(request_);
    began_ = intended;
    std::string_view left = request_;
    while (!left.empty()) {
      const ssize_t sent = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
      if (sent <= 0) return unavailable(where, "the server has closed a connection");
      left.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
  }

  /// Reads what is there; true when the answer is whole.
  [[nodiscard]] Result<bool> receive(const HttpLoad& load) {
    if (answer_.size() < size_ + room) answer_.resize(size_ + room);
    const ssize_t got =
        ::recv(socket_.get(), answer_.data() + size_, answer_.size() - size_, MSG_DONTWAIT);
    if (got <= 0) return unavailable(where, "the server has closed a connection");
    size_ += static_cast<std::size_t>(got);
    return is_whole(load);
  }

  [[nodiscard]] Ticks::time_point began() const noexcept { return began_; }

 private:
  static constexpr std::size_t room = 128 * 1024;

  [[nodiscard]] Result<bool> is_whole(const HttpLoad& load) {
    const std::string_view text(answer_.data(), size_);
    if (expected_ == 0) {
      const std::size_t end = text.find("\r\n\r\n");
      if (end == std::string_view::npos) return false;
      expected_ = end + 4 + content_length(text.substr(0, end));
    }
    if (size_ < expected_) return false;
    int status = 0;
    std::from_chars(text.data() + 9, text.data() + 12, status);
    const bool has_refusal =
        load.transfers_per_request > 1 && text.find("urn:mizan:problem") != std::string_view::npos;
    if (status != load.status || has_refusal) {
      return internal_error(where,
                            "an answer of another kind: " + std::string(text.substr(0, 800)));
    }
    size_ = 0;
    expected_ = 0;
    return true;
  }

  static std::size_t content_length(std::string_view head) {
    constexpr std::string_view name = "Content-Length: ";
    const std::size_t at = head.find(name);
    std::size_t length = 0;
    if (at != std::string_view::npos) {
      std::from_chars(head.data() + at + name.size(), head.data() + head.size(), length);
    }
    return length;
  }

  Descriptor socket_;
  std::string request_;
  std::vector<char> answer_;
  std::size_t size_ = 0;
  std::size_t expected_ = 0;
  Ticks::time_point began_;
};

/// Sends and receives for all of them until it is told to end.
class Clients {
 public:
  explicit Clients(const HttpLoad& load) : load_(load), poll_(::epoll_create1(EPOLL_CLOEXEC)) {}

  [[nodiscard]] Status connect() {
    for (std::size_t i = 0; i < load_.connections; ++i) {
      auto socket = connect_to(load_.port);
      if (!socket) return std::move(socket).error();
      clients_.push_back(std::make_unique<Client>(std::move(*socket)));
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = clients_.back().get();
      ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, clients_.back()->descriptor(), &event);
    }
    return {};
  }

  [[nodiscard]] Status begin() {
    const auto now = Ticks::now();
    for (const auto& client : clients_) {
      if (auto sent = client->send(load_, now); !sent) return sent;
    }
    under_way_ = clients_.size();
    return {};
  }

  /// Answers that came; each is followed by the next request while `goes_on`.
  [[nodiscard]] Status turn(LoadResult& result, bool counts, bool goes_on) {
    std::array<epoll_event, 256> events{};
    const int count = ::epoll_wait(poll_.get(), events.data(), events.size(), 100);
    for (int i = 0; i < count; ++i) {
      auto& client = *static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
      auto whole = client.receive(load_);
      if (!whole) return std::move(whole).error();
      if (!*whole) continue;
      const auto now = Ticks::now();
      --under_way_;
      result.applied += load_.transfers_per_request;
      if (counts) {
        result.transfers += load_.transfers_per_request;
        result.latency.record(nanoseconds_between(client.began(), now));
      }
      if (!goes_on) continue;
      if (auto sent = client.send(load_, now); !sent) return sent;
      ++under_way_;
    }
    return {};
  }

  [[nodiscard]] bool is_quiet() const noexcept { return under_way_ == 0; }

 private:
  const HttpLoad& load_;
  Descriptor poll_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::size_t under_way_ = 0;
};

}  // namespace

Result<LoadResult> run_http(const HttpLoad& load) {
  LoadResult result;
  Clients clients(load);
  if (auto done = clients.connect(); !done) return std::move(done).error();
  if (auto done = clients.begin(); !done) return std::move(done).error();
  const auto warm = later(Ticks::now(), load.limits.warm_up_seconds);
  while (Ticks::now() < warm && !is_interrupted()) {
    if (auto done = clients.turn(result, false, true); !done) return std::move(done).error();
  }
  const auto start = Ticks::now();
  const auto end = later(start, load.limits.seconds_max);
  auto now = start;
  while (now < end && result.transfers < load.limits.transfers_max && !is_interrupted()) {
    if (auto done = clients.turn(result, true, true); !done) return std::move(done).error();
    now = Ticks::now();
  }
  result.seconds = seconds_between(start, now);
  while (!clients.is_quiet()) {
    if (auto done = clients.turn(result, false, false); !done) return std::move(done).error();
  }
  return result;
}

}  // namespace mizan::bench
