#include "http/request_log.hpp"

#include "http/route.hpp"
#include "http/target.hpp"
#include "http/trace_context.hpp"

#include <string_view>

namespace mizan::http {
namespace {

LogLevel level_of(int status) noexcept {
  constexpr int version_not_supported = 505;  // The client's doing.
  if (status >= 500 && status != version_not_supported) return LogLevel::error;
  if (status == 401 || status == 403 || status == 421 || status == 429) return LogLevel::warning;
  return status >= 400 ? LogLevel::info : LogLevel::debug;
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
      .set("target", without_keys(exchange.request.target).substr(0, target_max))
      .set("status", response.status)
      .set("duration_us", std::chrono::duration_cast<std::chrono::microseconds>(duration).count())
      .set("peer", exchange.request.peer);
  if (!response.code.empty()) fields.set("outcome", response.code);
  fields.set_present("operation", exchange.operation);
  if (!exchange.access.key_id.empty()) fields.set("key", exchange.access.key_id);
  const std::string_view trace = trace_id_of(exchange.request.traceparent);
  if (!trace.empty()) fields.set("trace_id", trace);
  log.line(level, "request", fields);
}

}  // namespace mizan::http
