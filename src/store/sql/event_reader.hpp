#pragma once

#include "mizan/event_log.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mizan::sql {

// Events of a database with several writers (decision 0022). A transaction's events stand one after
// the other at its position: an event's place is the position times 2^20 plus the place of its
// first row among the transaction's rows.

/// A transaction that got its position among the events.
struct EventBatch {
  std::int64_t position = 0;
  std::int64_t first_sequence = 0;  ///< Of its rows in the journal.
  std::int64_t row_count = 0;       ///< How many they are.
};

/// A journal row that begins an applied operation.
struct EventStart {
  std::size_t index = 0;  ///< Among the sequences asked for.
  OperationId operation;
};

/// What the reader asks a dialect, all of it within one reading transaction.
class EventSource {
 public:
  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  virtual ~EventSource();

  /// From this position on, in order.
  virtual Result<std::vector<EventBatch>> list_batches(std::int64_t position,
                                                       std::size_t limit) = 0;

  /// In the order asked.
  virtual Result<std::vector<EventStart>> find_starts(std::span<const std::int64_t> sequences) = 0;

  virtual Result<std::vector<KnownOperation>> find_operations(
      std::span<const OperationId* const> ids) = 0;
};

/// A page as EventLog::read answers it, from what has its place already.
[[nodiscard]] Result<EventPage> read_events(EventSource& source,
                                            EventPlace after,
                                            std::size_t limit);

/// The place after all events of this position and those before it.
[[nodiscard]] EventPlace end_of_position(std::int64_t position) noexcept;

/// How many transactions get their positions at once.
inline constexpr std::int64_t placed_at_once = 10'000;

/// As EventLog demands it of a limit.
[[nodiscard]] Status check_event_limit(std::size_t limit);

}  // namespace mizan::sql
