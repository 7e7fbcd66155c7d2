#include "http/services.hpp"

namespace mizan::http {

Response overloaded(const Exchange& exchange) {
  return error_response(
      unavailable("queue",
                  "too many requests are waiting; nothing was done, try again in a moment"),
      problem_context(exchange));
}

Response wrong(const Exchange& exchange, const Error& error) {
  return error_response(error, problem_context(exchange));
}

Response wrong(const Exchange& exchange, const json::InvalidRequest& invalid) {
  return invalid_response(invalid, problem_context(exchange));
}

}  // namespace mizan::http
