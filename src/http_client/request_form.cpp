#include "http_client/request_form.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mizan::http_client {
namespace {

constexpr std::size_t url_size_max = 8'192;

bool is_visible_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// The characters of a header's name (RFC 9110, 5.6.2).
bool is_token(std::string_view text) {
  constexpr std::string_view separators = "\"(),/:;<=>?@[\\]{}";
  return !text.empty() && is_visible_ascii(text) &&
         text.find_first_of(separators) == std::string_view::npos;
}

/// A value may hold spaces and bytes beyond ASCII, and nothing that ends a line.
bool is_header_value(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

Status bad(std::string detail) {
  return invalid_request(where, std::move(detail));
}

Status check_url(std::string_view url) {
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  if (!has_scheme || !is_visible_ascii(url) || url.size() > url_size_max) {
    return bad(fmt::format(
        "a URL begins with http:// or https:// and holds at most {} visible ASCII characters",
        url_size_max));
  }
  const std::string origin = origin_of(url);
  if (origin.find('@') != std::string::npos) {
    return bad("a URL with a user or a password in it is not used: they would end up in logs");
  }
  if (origin.ends_with("://")) return bad("the URL names no host");
  return {};
}

}  // namespace

Status check_form(const Request& request) {
  constexpr std::array<std::string_view, 6> methods{
      "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
  if (std::find(methods.begin(), methods.end(), request.method) == methods.end()) {
    return bad(fmt::format("there is no method '{}' here", escape_for_log(request.method)));
  }
  if (Status url = check_url(request.url); !url) return url;
  const bool has_body = !request.body.empty();
  if (has_body && (request.method == "GET" || request.method == "HEAD")) {
    return bad("GET and HEAD take no body");
  }
  for (const auto& [name, value] : request.headers) {
    if (!is_token(name)) return bad("a header's name holds a character that it must not");
    // The value may be a secret.
    if (!is_header_value(value)) {
      return bad(fmt::format("the value of the header {} holds a control character", name));
    }
  }
  return {};
}

std::string origin_of(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return {};
  const std::size_t end = std::min(url.find_first_of("/?#", scheme_end + 3), url.size());
  return std::string(url.substr(0, end));
}

}  // namespace mizan::http_client
