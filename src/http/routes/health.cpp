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
Response readiness(Services& services, Exchange& exchange) {
  if (services.draining) {
    return error_response(unavailable("server", "the server is stopping"),
                          problem_context(exchange));
  }
  auto transaction = services.store.begin(services.clock.now() + std::chrono::seconds{2});
  if (!transaction) return error_response(transaction.error(), problem_context(exchange));
  transaction->reset();
  if (services.required_lock != nullptr) {
    auto findings = services.required_lock->doctor();
    if (!findings) return error_response(findings.error(), problem_context(exchange));
  }
  return json_response(200, R"({"status":"ready"})");
}

void readyz(Services& services, const std::shared_ptr<Exchange>& exchange) {
  answer_on(services.readers, services, exchange, readiness);
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
