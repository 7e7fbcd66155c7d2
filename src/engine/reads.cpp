#include "mizan/reads.hpp"

#include "base/timed_store.hpp"
#include "engine/event_feed.hpp"

#include <utility>

namespace mizan {

Result<std::unique_ptr<Snapshot>> stored_snapshot_until(Store& store, Deadline deadline) {
  auto* const timed = dynamic_cast<TimedStore*>(&store);
  return timed == nullptr ? store.snapshot() : timed->snapshot_until(deadline);
}

Result<EventPage> read_events_until(Store& store, const EventQuery& query, Deadline deadline) {
  if (auto* const timed = dynamic_cast<TimedStore*>(&store)) {
    auto page = timed->read_events_until(query.after, query.limit, deadline);
    if (!page) return page;
    return engine::refuse_ahead(store, query, *std::move(page), deadline);
  }
  EventLog* const log = store.events();
  if (log == nullptr) {
    return invalid_request("events", "the store does not tell what it has applied");
  }
  auto page = log->read(query.after, query.limit);
  if (!page) return page;
  return engine::refuse_ahead(store, query, *std::move(page), deadline);
}

}  // namespace mizan
