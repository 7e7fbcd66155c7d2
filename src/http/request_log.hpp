#pragma once

#include "http/exchange.hpp"
#include "http/log.hpp"
#include "http/message.hpp"

#include <chrono>

namespace mizan::http {

/// Says what became of a request: failures of the server at level error, refused access at warning,
/// other refusals at info, the rest at debug. Keys and bodies are never said.
void log_request(Log& log,
                 const Exchange& exchange,
                 const Response& response,
                 std::chrono::nanoseconds duration);

}  // namespace mizan::http
