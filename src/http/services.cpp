#include "http/services.hpp"

#include "mizan/reads.hpp"

#include "http/route.hpp"

namespace mizan::http {

namespace {

/// Who only reads loses no race and leaves nothing in doubt, whatever the database met with: the
/// answer was not to be had.
Error of_a_read(Error error) {
  if (error.code == Code::contended || error.code == Code::unknown) {
    error.code = Code::unavailable;
    error.certainty = Certainty::not_applied;
  }
  return error;
}

}  // namespace

bool has_room_for_answer(const Services& services, const Exchange& exchange) {
  const Route* const route = exchange.match.route;
  return route == nullptr || !route->is_large || !services.answers->is_spent();
}

Response overloaded(const Exchange& exchange) {
  return error_response(
      unavailable("queue",
                  "too many requests are waiting; nothing was done, try again in a moment"),
      problem_context(exchange));
}

Response out_of_time(const Exchange& exchange) {
  return error_response(
      unavailable("queue", "no time was left before the deadline; nothing was done"),
      problem_context(exchange));
}

Result<std::unique_ptr<Snapshot>> snapshot_for(const Services& services, const Exchange& exchange) {
  return snapshot_until(services.store, services.clock.wall_now(), services.deadline(exchange));
}

Response wrong(const Exchange& exchange, const Error& error) {
  const bool reads = exchange.match.route != nullptr && exchange.match.route->method == Method::get;
  return error_response(reads ? of_a_read(error) : error, problem_context(exchange));
}

Response wrong(const Exchange& exchange, const json::InvalidRequest& invalid) {
  return invalid_response(invalid, problem_context(exchange));
}

}  // namespace mizan::http
