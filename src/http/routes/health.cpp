#include "http/answers.hpp"
#include "http/http_documents.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/value.hpp"

#include <array>

namespace mizan::http {
namespace {

/// The process answers; nothing else is asked.
void livez(Services& /*services*/, const std::shared_ptr<Exchange>& exchange) {
  exchange->answer(json_response(200, R"({"status":"ok"})"));
}

/// Can operations be applied here?
void readyz(Services& services, const std::shared_ptr<Exchange>& exchange) {
  if (services.draining) {
    return exchange->answer(wrong(*exchange, unavailable("server", "the server is stopping")));
  }
  services.readiness.ask(exchange);
}

void describe(Services& /*services*/, const std::shared_ptr<Exchange>& exchange) {
  exchange->answer(json_response(200, std::string(http_documents::openapi)));
}

constexpr std::array routes{
    Route{Method::get, "/livez", plain<livez>, Scope::open},
    Route{Method::get, "/readyz", plain<readyz>, Scope::open},
    list_route("/openapi.json", plain<describe>, Scope::open),
};

}  // namespace

std::span<const Route> health_routes() {
  return routes;
}

}  // namespace mizan::http
