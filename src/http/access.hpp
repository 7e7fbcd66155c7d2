#pragma once

#include "mizan/result.hpp"

#include "http/exchange.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>

namespace mizan::http {

struct Services;

/// May this client make this request? Asked once for each, as soon as its header is there: the body
/// of one that may not is never kept. What is no route tells nothing to those without a key either.
[[nodiscard]] Access check_access(const Services& services,
                                  const Request& request,
                                  const RouteMatch& match);

/// What those are told who may not; nothing where it may go on.
[[nodiscard]] std::optional<Response> refuse_access(const Exchange& exchange);

}  // namespace mizan::http
