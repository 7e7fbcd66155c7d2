#include "http/access.hpp"

#include "http/allowed_hosts.hpp"
#include "http/answers.hpp"
#include "http/key_ring.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "http/target.hpp"

#include <optional>
#include <string_view>

namespace mizan::http {

namespace {

/// A target that names a host counts, and not the header (RFC 9112, 3.2.2).
std::optional<std::string_view> stated_host(const Request& request) {
  if (const auto authority = authority_of(request.target)) return authority;
  if (!request.host) return std::nullopt;
  return std::string_view(*request.host);
}

}  // namespace

Access check_access(const Services& services, const Request& request, const RouteMatch& match) {
  const auto host = stated_host(request);
  if (host && !services.hosts.has(*host)) return {{}, {}, true};
  if (services.keys == nullptr) return {};
  const Scope needed = match.route == nullptr ? Scope::read : match.route->scope;
  return services.keys->check(request.authorization, needed);
}

std::optional<Response> refuse_access(const Exchange& exchange) {
  if (exchange.access.is_misdirected) {
    return transport_response(
        {421,
         "misdirected_request",
         "this server answers requests for IP addresses, names without a dot and the "
         "names of its setting allow_host; this one names another host"},
        exchange.request_id);
  }
  const auto& error = exchange.access.refusal;
  if (!error) return std::nullopt;
  Response response = error_response(*error, problem_context(exchange));
  if (error->code == Code::unauthorized) {
    response.extra_name = "WWW-Authenticate";
    response.extra_value = "Bearer";
  }
  return response;
}

}  // namespace mizan::http
