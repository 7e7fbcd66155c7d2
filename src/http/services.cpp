#include "http/services.hpp"

#include "mizan/reads.hpp"

namespace mizan::http {

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
  return error_response(error, problem_context(exchange));
}

Response wrong(const Exchange& exchange, const json::InvalidRequest& invalid) {
  return invalid_response(invalid, problem_context(exchange));
}

}  // namespace mizan::http
