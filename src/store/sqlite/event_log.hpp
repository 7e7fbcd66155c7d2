#pragma once

#include "mizan/event_log.hpp"

#include "store/sqlite/reader_pool.hpp"

namespace mizan::sqlite {

/// The journal as events: with one writer its sequence is commit order (decision 0009). Any thread
/// may call.
class SqliteEventLog final : public EventLog {
 public:
  explicit SqliteEventLog(ReaderPool& readers) noexcept : readers_(readers) {}

  Result<EventPage> read(EventPlace after, std::size_t limit) override;
  Result<EventPlace> newest() override;

 private:
  ReaderPool& readers_;
};

}  // namespace mizan::sqlite
