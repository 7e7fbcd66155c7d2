#include "http/request_log.hpp"

#include "http/route.hpp"

#include <algorithm>
#include <string_view>

namespace mizan::http {
namespace {

LogLevel level_of(int status) noexcept {
  constexpr int version_not_supported = 505;  // The client's doing.
  if (status >= 500 && status != version_not_supported) return LogLevel::error;
  if (status == 401 || status == 403 || status == 421 || status == 429) return LogLevel::warning;
  return status >= 400 ? LogLevel::info : LogLevel::debug;
}

/// The trace id of `00-<32 digits>-<16 digits>-<2 digits>` (W3C Trace Context); empty for others.
std::string_view trace_id(std::string_view traceparent) {
  constexpr std::size_t size = 55;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (traceparent.size() < size || traceparent[2] != '-' || traceparent[35] != '-') return {};
  const std::string_view id = traceparent.substr(3, 32);
  return std::all_of(id.begin(), id.end(), is_digit) ? id : std::string_view();
}

}  // namespace

void log_request(Log& log,
                 const Exchange& exchange,
                 const Response& response,
                 std::chrono::nanoseconds duration) {
  const LogLevel level = level_of(response.status);
  if (!log.wants(level)) return;
  constexpr std::size_t target_max = 256;
  const Route* const route = exchange.match.route;
  json::Object fields;
  fields.set("request_id", exchange.request_id)
      .set("method", to_string(exchange.request.method))
      .set("route", route == nullptr ? std::string_view("none") : route->pattern)
      .set("target", std::string_view(exchange.request.target).substr(0, target_max))
      .set("status", response.status)
      .set("duration_us", std::chrono::duration_cast<std::chrono::microseconds>(duration).count())
      .set("peer", exchange.request.peer);
  if (!response.code.empty()) fields.set("outcome", response.code);
  fields.set_present("operation", exchange.operation);
  if (!exchange.access.key_id.empty()) fields.set("key", exchange.access.key_id);
  const std::string_view trace = trace_id(exchange.request.traceparent);
  if (!trace.empty()) fields.set("trace_id", trace);
  log.line(level, "request", fields);
}

}  // namespace mizan::http
