#pragma once

#include "mizan/clock.hpp"
#include "mizan/document_table.hpp"
#include "mizan/event_log.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <cstddef>
#include <memory>

namespace mizan {

/// Reads of a store at the other end of a link, which may fall silent: they and what is asked of
/// them afterwards end with `unavailable` at the deadline, or within a second after it where
/// nobody answers at all. Found by a dynamic_cast of the store; one that is no such store has
/// nothing to wait for.
class TimedStore {
 public:
  TimedStore() = default;
  TimedStore(const TimedStore&) = delete;
  TimedStore& operator=(const TimedStore&) = delete;
  virtual ~TimedStore() = default;

  virtual Result<std::unique_ptr<Snapshot>> snapshot_until(Deadline deadline) = 0;

  /// As those of the store's EventLog.
  virtual Result<EventPage> read_events_until(EventPlace after,
                                              std::size_t limit,
                                              Deadline deadline) = 0;
  virtual Result<EventPlace> newest_event_until(Deadline deadline) = 0;

  /// The store's documents, for what is to be asked before the deadline; the store outlives them.
  virtual std::unique_ptr<DocumentTable> documents_until(Deadline deadline) = 0;
};

}  // namespace mizan
