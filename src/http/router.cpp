#include "http/router.hpp"

#include "base/percent.hpp"
#include "http/access.hpp"
#include "http/answers.hpp"
#include "http/services.hpp"
#include "http/target.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace mizan::http {
namespace {

/// The first segment of a path that begins with a slash; what follows it stays in `path`.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

/// An escaped letter is that letter (RFC 3986, 6.2.2.2).
bool is_same_segment(std::string_view segment, std::string_view wanted) {
  if (segment.find('%') == std::string_view::npos) return segment == wanted;
  const auto decoded = percent_decoded(segment);
  return decoded && *decoded == wanted;
}

/// Does the path have the form of the pattern? The raw parameters are put into `found`.
bool matches(std::string_view pattern,
             std::string_view path,
             std::array<std::string_view, 2>& found) {
  std::size_t count = 0;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = take_segment(pattern);
    const std::string_view segment = take_segment(path);
    if (!wanted.starts_with('{')) {
      if (!is_same_segment(segment, wanted)) return false;
      continue;
    }
    if (segment.empty()) return false;
    found[count++] = segment;
  }
  return pattern.empty() && path.empty();
}

/// A target that begins with scheme and host means its path too (RFC 9112, 3.2.2).
std::string_view origin_form(std::string_view target) {
  if (target.starts_with('/')) return target;
  const std::size_t authority = target.find("://");
  if (authority == std::string_view::npos) return {};
  const std::size_t slash = target.find('/', authority + 3);
  return slash == std::string_view::npos ? "/" : target.substr(slash);
}

void take_parameters(RouteMatch& match, const std::array<std::string_view, 2>& raw) {
  for (std::size_t i = 0; i < raw.size(); ++i) {
    auto decoded = percent_decoded(raw[i]);
    if (!decoded) match.bad_encoding = true;
    match.parameters[i] = std::move(decoded).value_or(std::string());
  }
}

std::string_view media_type(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (type.ends_with(' ') || type.ends_with('\t')) type.remove_suffix(1);
  return type;
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

/// A body is JSON in UTF-8, as it stands. Nothing said means that, except from a browser's page:
/// it may send to any server what has no type, and is asked first whether it may send JSON.
bool is_json(const Request& request) {
  const std::string_view type = media_type(request.content_type);
  const bool is_merge_patch =
      request.method == Method::patch && equals_ignoring_case(type, "application/merge-patch+json");
  const bool is_plain = request.content_encoding.empty() ||
                        equals_ignoring_case(request.content_encoding, "identity");
  const bool is_unsaid = request.content_type.empty() && !request.has_origin;
  return is_plain && (is_unsaid || equals_ignoring_case(type, json_type) || is_merge_patch);
}

Response not_found(const Exchange& exchange) {
  return transport_response(
      {404, "route_not_found", "there is nothing at this path; /openapi.json lists what there is"},
      exchange.request_id);
}

Response wrong_method(const Exchange& exchange) {
  Response response = transport_response(
      {405, "method_not_allowed", "this path takes " + exchange.match.allow}, exchange.request_id);
  response.extra_name = "Allow";
  response.extra_value = exchange.match.allow;
  return response;
}

Response options(const Exchange& exchange) {
  Response response;
  response.status = 204;
  response.extra_name = "Allow";
  response.extra_value = exchange.match.allow;
  return response;
}

Response malformed(const Exchange& exchange, std::string detail) {
  return invalid_response({{{"", json::field_code::invalid_value, std::move(detail)}}},
                          {{}, exchange.request_id});
}

/// What is wrong with the request whatever its handler is; nothing where it may go on.
std::optional<Response> refuse(const Exchange& exchange) {
  const RouteMatch& match = exchange.match;
  if (exchange.request.method == Method::options && !match.allow.empty()) return options(exchange);
  if (match.route == nullptr) {
    return match.allow.empty() ? not_found(exchange) : wrong_method(exchange);
  }
  if (match.bad_encoding)
    return malformed(exchange, "the path has a percent sign that is no escape");
  if (const auto name = exchange.request.repeated_header; !name.empty()) {
    return malformed(
        exchange, std::string("the header ").append(name) + " stands twice with different values");
  }
  const bool has_body = match.route->body_max > 0 && !exchange.request.body.empty();
  if (has_body && !is_json(exchange.request)) {
    return transport_response(
        {415, "unsupported_media_type", "the body must be application/json, not compressed"},
        exchange.request_id);
  }
  return std::nullopt;
}

}  // namespace

Router::Router() {
  for (const auto list : {operation_routes(),
                          wallet_routes(),
                          currency_routes(),
                          batch_routes(),
                          lock_routes(),
                          event_routes(),
                          webhook_routes(),
                          health_routes(),
                          metrics_routes()}) {
    routes_.insert(routes_.end(), list.begin(), list.end());
  }
}

RouteMatch Router::find(Method method, std::string_view target) const {
  RouteMatch match;
  const Method wanted = method == Method::head ? Method::get : method;
  const std::string_view path = path_of(origin_form(target));
  for (const Route& route : routes_) {
    std::array<std::string_view, 2> raw;
    if (!matches(route.pattern, path, raw)) continue;
    if (route.method == wanted) {
      match.route = &route;
      take_parameters(match, raw);
      return match;
    }
    if (!match.allow.empty()) match.allow += ", ";
    match.allow += to_string(route.method);
    if (route.method == Method::get) match.allow += ", HEAD";
  }
  return match;
}

void dispatch(Services& services, const std::shared_ptr<Exchange>& exchange) {
  if (auto refusal = refuse_access(*exchange)) return exchange->answer(*std::move(refusal));
  if (auto refusal = refuse(*exchange)) return exchange->answer(*std::move(refusal));
  exchange->match.route->handle(services, exchange);
}

}  // namespace mizan::http
