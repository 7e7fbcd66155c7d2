#include "http/metrics.hpp"

#include "http/route.hpp"
#include "http/services.hpp"

#include <array>
#include <utility>

namespace mizan::http {
namespace {

void show(Services& services, const std::shared_ptr<Exchange>& exchange) {
  Gauges gauges;
  gauges.ledger = services.ledger.counters();
  gauges.connections = services.connections;
  gauges.requests = services.requests;
  gauges.readers_waiting = services.readers.waiting();
  gauges.writers_waiting = services.writers.waiting();
  gauges.batches_waiting = services.batches.waiting();
  if (services.epochs_drawn) gauges.epochs_drawn = services.epochs_drawn();
  gauges.locks_waiting = services.locks.waiting();
  gauges.locks_granted = services.locks.granted();
  gauges.locks_busy = services.locks.busy();
  gauges.locks_lost = services.locks.lost();
  Response response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = services.metrics.text(gauges);
  exchange->answer(std::move(response));
}

constexpr std::array routes{Route{Method::get, "/metrics", show}};

}  // namespace

std::span<const Route> metrics_routes() {
  return routes;
}

}  // namespace mizan::http
