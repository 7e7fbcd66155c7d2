#include "http/access.hpp"

#include "http/allowed_hosts.hpp"
#include "http/answers.hpp"
#include "http/key_ring.hpp"
#include "http/route.hpp"
#include "http/services.hpp"

namespace mizan::http {

Access check_access(const Services& services, const Request& request, const RouteMatch& match) {
  if (request.host && !services.hosts.has(*request.host)) return {{}, {}, true};
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
         "names of its setting allow_host; the header Host has another one"},
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
