#pragma once

#include "mizan/event_log.hpp"

#include "store/memory/tables.hpp"

namespace mizan::memory {

/// The recorded operations in commit order. Any thread may call.
class MemoryEventLog final : public EventLog {
 public:
  explicit MemoryEventLog(Tables& tables) noexcept : tables_(tables) {}

  Result<EventPage> read(EventPlace after, std::size_t limit) override;
  Result<EventPlace> newest() override;

 private:
  /// How many operations are committed. Requires the tables' mutex.
  [[nodiscard]] std::size_t count_committed() const;

  Tables& tables_;
};

}  // namespace mizan::memory
