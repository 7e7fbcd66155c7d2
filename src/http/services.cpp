#include "http/services.hpp"

namespace mizan::http {

Response overloaded(const Exchange& exchange) {
  return error_response(
      unavailable("queue",
                  "too many requests are waiting; nothing was done, try again in a moment"),
      problem_context(exchange));
}

}  // namespace mizan::http
