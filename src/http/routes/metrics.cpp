#include "http/metrics.hpp"

#include "http/route.hpp"
#include "http/services.hpp"

#include <array>
#include <utility>

namespace mizan::http {
namespace {

void show(Services& services, const std::shared_ptr<Exchange>& exchange) {
  Readings readings;
  readings.ledger = services.ledger.counters();
  readings.connections = services.connections;
  readings.requests = services.requests;
  readings.readers_waiting = services.readers.waiting();
  readings.writers_waiting = services.writers.waiting();
  readings.batches_waiting = services.batches.waiting();
  if (services.epochs_drawn) readings.epochs_drawn = services.epochs_drawn();
  readings.locks_waiting = services.locks.waiting();
  readings.locks_granted = services.locks.granted();
  readings.locks_busy = services.locks.busy();
  readings.locks_lost = services.locks.lost();
  Response response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = services.metrics.text(readings);
  exchange->answer(std::move(response));
}

constexpr std::array routes{Route{Method::get, "/metrics", plain<show>}};

}  // namespace

std::span<const Route> metrics_routes() {
  return routes;
}

}  // namespace mizan::http
