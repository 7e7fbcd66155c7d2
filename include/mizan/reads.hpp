#pragma once

#include "mizan/clock.hpp"
#include "mizan/ledger.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <memory>

namespace mizan {

// Reads that end at a deadline also where the database hangs: with `unavailable`, within a second
// after it.

/// `Store::snapshot`; the deadline is that of all that is read of it, too.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> stored_snapshot_until(Store& store,
                                                                      Deadline deadline);

/// `snapshot_at`, likewise.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot_until(Store& store,
                                                               Timestamp now,
                                                               Deadline deadline);

/// `Ledger::read_events`.
[[nodiscard]] Result<EventPage> read_events_until(Store& store,
                                                  const EventQuery& query,
                                                  Deadline deadline);

}  // namespace mizan
