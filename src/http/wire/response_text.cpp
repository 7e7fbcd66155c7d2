#include "http/wire/response_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace mizan::http {
namespace {

std::string_view reason_of(int status) noexcept {
  constexpr std::array<std::pair<int, std::string_view>, 22> reasons{
      {{200, "OK"},
       {201, "Created"},
       {204, "No Content"},
       {400, "Bad Request"},
       {401, "Unauthorized"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {408, "Request Timeout"},
       {409, "Conflict"},
       {412, "Precondition Failed"},
       {413, "Content Too Large"},
       {415, "Unsupported Media Type"},
       {417, "Expectation Failed"},
       {421, "Misdirected Request"},
       {422, "Unprocessable Content"},
       {429, "Too Many Requests"},
       {431, "Request Header Fields Too Large"},
       {500, "Internal Server Error"},
       {503, "Service Unavailable"},
       {504, "Gateway Timeout"},
       {505, "HTTP Version Not Supported"}}};
  for (const auto& [number, reason] : reasons) {
    if (number == status) return reason;
  }
  return "";
}

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void append_response(std::string& out, const Response& response, const ResponseHead& head) {
  out += "HTTP/1.1 ";
  append_number(out, response.status);
  out.append(" ").append(reason_of(response.status));
  if (response.status != 204) {
    out.append("\r\nContent-Type: ").append(response.content_type).append("\r\nContent-Length: ");
    append_number(out, static_cast<std::int64_t>(response.body.size()));
  }
  out.append("\r\nDate: ").append(head.date);
  out.append("\r\nX-Request-Id: ").append(head.request_id);
  out += "\r\nCache-Control: no-store";
  if (response.replayed) out += "\r\nIdempotent-Replayed: true";
  if (response.retry_after) {
    out += "\r\nRetry-After: ";
    append_number(out, response.retry_after->count());
  }
  if (!response.extra_name.empty()) {
    out.append("\r\n").append(response.extra_name).append(": ").append(response.extra_value);
  }
  if (head.close) out += "\r\nConnection: close";
  if (head.keeps_old_alive) out += "\r\nConnection: keep-alive";
  out += "\r\n\r\n";
  if (!head.without_body) out += response.body;
}

}  // namespace mizan::http
