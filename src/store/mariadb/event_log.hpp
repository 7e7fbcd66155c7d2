#pragma once

#include "mizan/clock.hpp"
#include "mizan/event_log.hpp"

#include "store/mariadb/pool.hpp"

#include <cstdint>

namespace mizan::mariadb {

/// Events in commit order (decision 0022). Any thread may call.
class MariadbEventLog final : public EventLog {
 public:
  MariadbEventLog(Pool& writers, Pool& readers, const Clock& clock) noexcept
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

}  // namespace mizan::mariadb
