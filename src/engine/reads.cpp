#include "mizan/reads.hpp"

#include "base/timed_store.hpp"

namespace mizan {

Result<std::unique_ptr<Snapshot>> stored_snapshot_until(Store& store, Deadline deadline) {
  auto* const timed = dynamic_cast<TimedStore*>(&store);
  return timed == nullptr ? store.snapshot() : timed->snapshot_until(deadline);
}

Result<EventPage> read_events_until(Store& store, const EventQuery& query, Deadline deadline) {
  if (auto* const timed = dynamic_cast<TimedStore*>(&store)) {
    return timed->read_events_until(query.after, query.limit, deadline);
  }
  EventLog* const log = store.events();
  if (log == nullptr) {
    return invalid_request("events", "the store does not tell what it has applied");
  }
  return log->read(query.after, query.limit);
}

}  // namespace mizan
