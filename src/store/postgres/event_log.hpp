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

  Result<EventPage> read(EventPlace after, std::size_t limit) override;
  Result<EventPlace> newest() override;

 private:
  /// Gives what is committed its places; answers the last position.
  [[nodiscard]] Result<std::int64_t> place_all();
  [[nodiscard]] Result<std::int64_t> place_some();

  Pool& writers_;
  Pool& readers_;
  const Clock& clock_;
};

}  // namespace mizan::postgres
