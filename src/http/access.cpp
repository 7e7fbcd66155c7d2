#include "http/access.hpp"

#include "http/answers.hpp"
#include "http/key_ring.hpp"
#include "http/route.hpp"
#include "http/services.hpp"

namespace mizan::http {

Access check_access(const Services& services, const Request& request, const RouteMatch& match) {
  if (services.keys == nullptr) return {};
  const Scope needed = match.route == nullptr ? Scope::read : match.route->scope;
  return services.keys->check(request.authorization, needed);
}

std::optional<Response> refuse_access(const Exchange& exchange) {
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
