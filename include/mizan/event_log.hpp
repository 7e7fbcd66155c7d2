#pragma once

#include "mizan/outcome.hpp"
#include "mizan/result.hpp"
#include "mizan/text.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mizan {

/// Where an event stands among all events: grows from one to the next, with gaps, and is never
/// given twice. 0 stands before the first.
using EventPlace = StrongNumber<struct EventPlaceTag, std::int64_t>;

/// An operation that was applied.
struct Event {
  EventPlace place;
  Receipt receipt;  ///< As it was then: `reversed_by` is absent, a reversal is an event of its own.
};

struct EventPage {
  std::vector<Event> items;
  EventPlace next;        ///< Where the reader stands now; may have moved without an item.
  bool has_more = false;  ///< More is there already.
};

/// The port through which a store hands out what was applied, in an order in which nothing ever
/// comes in front of what a reader has seen: an operation gets its place after its commit. Along
/// one wallet that is the order in which its operations were applied. Any thread and any process
/// may call. Blocks: up to ten seconds. Errors: `invalid_request` for a limit out of its range,
/// `unavailable`, `contended` where others were always faster, `internal` for a damaged row.
class EventLog {
 public:
  EventLog() = default;
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;
  virtual ~EventLog();

  /// The events after `after`, everything committed before the call included; `limit` 1–1,000.
  virtual Result<EventPage> read(EventPlace after, std::size_t limit) = 0;

  /// The place of the newest event, everything committed before the call included. Cheap: for
  /// those who wait.
  virtual Result<EventPlace> newest() = 0;
};

}  // namespace mizan
