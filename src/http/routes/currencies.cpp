#include "http/answers.hpp"
#include "http/query.hpp"
#include "http/route.hpp"
#include "http/services.hpp"
#include "json/requests.hpp"
#include "json/shapes.hpp"

#include <array>

namespace mizan::http {
namespace {

/// Those that were registered; those of ISO 4217 are built in.
Response list(Services& services, Exchange& exchange) {
  auto snapshot = snapshot_for(services, exchange);
  if (!snapshot) return wrong(exchange, snapshot.error());
  auto currencies = (*snapshot)->list_currencies();
  if (!currencies) return wrong(exchange, currencies.error());
  json::Array items;
  for (const Currency& currency : *currencies) items.add(json::to_object(currency));
  return json_response(200, json::list_object(items, std::nullopt).text());
}

Response add(Services& services, Exchange& exchange) {
  const auto currency = json::parse_new_currency(exchange.request.body);
  if (!currency) return wrong(exchange, currency.error());
  CallOptions options;
  options.deadline = services.deadline(exchange);
  auto added = services.ledger.add_currency(*currency, options);
  if (!added) return wrong(exchange, added.error());
  return json_response(*added ? 201 : 200, json::to_object(*currency).text());
}

constexpr std::array routes{
    list_route("/v1/currencies", plain<on_reader<list>>),
    Route{Method::post,
          "/v1/currencies",
          plain<on_writer<add>>,
          Scope::admin,
          Order::alone,
          body_small},
};

}  // namespace

std::span<const Route> currency_routes() {
  return routes;
}

}  // namespace mizan::http
