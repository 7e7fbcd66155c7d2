#pragma once

#include "mizan/event_log.hpp"
#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include "remote/server.hpp"

#include <chrono>

namespace mizan::remote {

/// A page of `/v1/events`, of which the server waits for the first so long; types that this version
/// does not know are passed over.
[[nodiscard]] Result<EventPage> read_events(Server& server,
                                            const EventQuery& query,
                                            std::chrono::milliseconds wait = {});

}  // namespace mizan::remote
