#pragma once

#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include "http/message.hpp"
#include "json/problem.hpp"
#include "json/value.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::http {

// The one place that turns answers into responses: status, headers and body as in
// docs/reference/outcomes.md.

[[nodiscard]] Response json_response(int status, std::string body);

[[nodiscard]] Response outcome_response(const Result<Outcome>& outcome,
                                        const json::ProblemContext& context);
[[nodiscard]] Response error_response(const Error& error, const json::ProblemContext& context);
[[nodiscard]] Response refusal_response(const Refusal& refusal,
                                        const json::ProblemContext& context);

/// Somebody else holds the lock, for so long where that is known (`expires_in_ms`).
[[nodiscard]] Response busy_response(const Resource& resource,
                                     std::optional<std::chrono::milliseconds> remaining,
                                     const json::ProblemContext& context);
[[nodiscard]] Response invalid_response(const json::InvalidRequest& invalid,
                                        const json::ProblemContext& context);

/// What HTTP itself refuses, before any money rule: its own codes beside the outcomes.
struct TransportProblem {
  int status = 400;
  std::string_view code;  ///< Static storage, e.g. "route_not_found".
  std::string detail;
};

[[nodiscard]] Response transport_response(const TransportProblem& problem,
                                          std::string_view request_id);

}  // namespace mizan::http
