#pragma once

#include "mizan/clock.hpp"
#include "mizan/event_log.hpp"

#include "store/postgres/pool.hpp"

#include <cstdint>

namespace mizan::postgres {

/// Events in commit order (decision 0022). Any thread may call.
class PostgresEventLog final : public EventLog {
 public:
  PostgresEventLog(Pool& writers, Pool& readers, const Clock& clock) noexcept
      : writers_(writers), readers_(readers), clock_(clock) {}

  Result<EventPage> read(EventPlace after, std::size_t limit) override {
    return read_until(after, limit, Deadline::max());
  }

  Result<EventPlace> newest() override { return newest_until(Deadline::max()); }

  /// Until the deadline, and ten seconds at most.
  [[nodiscard]] Result<EventPage> read_until(EventPlace after,
                                             std::size_t limit,
                                             Deadline deadline);
  [[nodiscard]] Result<EventPlace> newest_until(Deadline deadline);

 private:
  /// Gives what is committed its places; answers the last position.
  [[nodiscard]] Result<std::int64_t> place_all(Deadline deadline);
  [[nodiscard]] Result<std::int64_t> place_some(Deadline deadline);

  Pool& writers_;
  Pool& readers_;
  const Clock& clock_;
};

}  // namespace mizan::postgres
