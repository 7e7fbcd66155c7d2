#include "testkit/http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>

namespace mizan::testkit {
namespace {

constexpr const char* where = "http client";
constexpr std::string_view line_end = "\r\n";

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return out;
}

bool has_header(const HttpRequest& request, std::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(), [name](const auto& header) {
    return lower(header.first) == name;
  });
}

HttpAnswer parse_head(std::string_view head) {
  HttpAnswer answer;
  const std::size_t space = head.find(' ');
  if (space != std::string_view::npos) {
    std::from_chars(head.data() + space + 1, head.data() + head.size(), answer.status);
  }
  std::size_t at = head.find(line_end);
  while (at != std::string_view::npos) {
    head.remove_prefix(at + line_end.size());
    at = head.find(line_end);
    const std::string_view line = head.substr(0, at);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    answer.headers.emplace_back(lower(line.substr(0, colon)), value);
  }
  return answer;
}

}  // namespace

std::string HttpAnswer::header(std::string_view name) const {
  const auto found = std::find_if(
      headers.begin(), headers.end(), [name](const auto& header) { return header.first == name; });
  return found == headers.end() ? std::string() : found->second;
}

std::string to_text(const HttpRequest& request) {
  std::string text = request.method + ' ' + request.target + " HTTP/1.1\r\nHost: localhost\r\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
  if (!request.body.empty()) {
    if (!has_header(request, "content-type")) text += "Content-Type: application/json\r\n";
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  return text + "\r\n" + request.body;
}

Result<HttpClient> HttpClient::connect(std::uint16_t port) {
  HttpClient client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // The library's own form of an address.
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(client.descriptor_, generic, sizeof address) != 0) {
    return unavailable(where, "cannot connect to port " + std::to_string(port));
  }
  const int one = 1;
  ::setsockopt(client.descriptor_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return client;
}

HttpClient::HttpClient(HttpClient&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), unread_(std::move(other.unread_)) {}

HttpClient& HttpClient::operator=(HttpClient&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(unread_, other.unread_);
  return *this;
}

HttpClient::~HttpClient() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<HttpAnswer> HttpClient::ask(const HttpRequest& request, Deadline deadline) {
  if (auto sent = send(to_text(request)); !sent) return std::move(sent).error();
  return receive(deadline, request.method == "HEAD");
}

Status HttpClient::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return unavailable(where, "the server has closed the connection");
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

bool HttpClient::read_more(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - system_clock().now());
  pollfd watched{descriptor_, POLLIN, 0};
  if (left.count() <= 0 || ::poll(&watched, 1, static_cast<int>(left.count())) <= 0) return false;
  std::array<char, 16'384> buffer{};
  const ssize_t got = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  unread_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

Result<HttpAnswer> HttpClient::receive(Deadline deadline, bool without_body) {
  constexpr std::string_view head_end = "\r\n\r\n";
  std::size_t end = unread_.find(head_end);
  while (end == std::string::npos) {
    if (!read_more(deadline)) return unavailable(where, "no whole answer came: " + unread_);
    end = unread_.find(head_end);
  }
  HttpAnswer answer = parse_head(std::string_view(unread_).substr(0, end));
  unread_.erase(0, end + head_end.size());
  std::size_t size = 0;
  const std::string length = answer.header("content-length");
  if (!without_body) std::from_chars(length.data(), length.data() + length.size(), size);
  while (unread_.size() < size) {
    if (!read_more(deadline)) return unavailable(where, "the answer's body did not come whole");
  }
  answer.body = unread_.substr(0, size);
  unread_.erase(0, size);
  return answer;
}

bool HttpClient::ends(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - system_clock().now());
  pollfd watched{descriptor_, POLLIN, 0};
  if (!unread_.empty() || left.count() <= 0) return false;
  if (::poll(&watched, 1, static_cast<int>(left.count())) <= 0) return false;
  char byte = 0;
  return ::recv(descriptor_, &byte, 1, MSG_PEEK) <= 0;
}

void HttpClient::finish_sending() noexcept {
  ::shutdown(descriptor_, SHUT_WR);
}

}  // namespace mizan::testkit
