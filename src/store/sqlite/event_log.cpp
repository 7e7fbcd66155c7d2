#include "store/sqlite/event_log.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/operation_key.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace mizan::sqlite {
namespace {

constexpr std::size_t limit_max = 1'000;

/// One moment of the file, as long as it lives.
class ReadScope {
 public:
  explicit ReadScope(Connection& connection) noexcept : connection_(connection) {}

  ReadScope(const ReadScope&) = delete;
  ReadScope& operator=(const ReadScope&) = delete;

  ~ReadScope() { static_cast<void>(connection_.statement(sqlite_sql::rollback).run_code()); }

  Status begin() { return connection_.statement(sqlite_sql::begin_read).run(); }

 private:
  Connection& connection_;
};

struct Found {
  EventPlace place;
  OperationId operation;
};

Result<std::vector<Found>> find_events(Connection& connection,
                                       EventPlace after,
                                       std::size_t limit) {
  Statement row = connection.statement(sqlite_sql::read_events);
  row.bind(1, after.value()).bind(2, static_cast<std::int64_t>(limit));
  std::vector<Found> events;
  for (;;) {
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) return events;
    events.push_back({EventPlace{row.integer(0)}, read_operation_id(row, 1)});
  }
}

Result<EventPlace> find_newest(Connection& connection) {
  Statement row = connection.statement(sqlite_sql::read_last_sequence);
  auto found = row.step();
  if (!found) return found.error();
  return EventPlace{row.integer(0)};
}

}  // namespace

Result<EventPage> SqliteEventLog::read(EventPlace after, std::size_t limit) {
  if (limit < 1 || limit > limit_max) {
    return invalid_request("sqlite: events", "the limit must be from 1 to 1000");
  }
  auto lent = readers_.lend();
  if (!lent) return lent.error();
  ReadScope scope(lent->connection());
  if (Status begun = scope.begin(); !begun) return begun.error();
  if (Status whole = lent->require_whole_schema(); !whole) return whole.error();
  auto found = find_events(lent->connection(), after, limit + 1);
  if (!found) return found.error();
  EventPage page;
  page.next = after;
  page.has_more = found->size() > limit;
  if (page.has_more) found->pop_back();
  page.items.reserve(found->size());
  for (const Found& event : *found) {
    auto recorded = find_operation(lent->connection(), event.operation);
    if (!recorded) return recorded.error();
    if (!*recorded) {
      return sql::damaged_row(sql::journal_row(Sequence{event.place.value()}), "its operation id");
    }
    page.next = event.place;
    page.items.push_back({event.place, std::move((*recorded)->receipt)});
    page.items.back().receipt.reversed_by = nullptr;
  }
  if (page.has_more) return page;
  // Beyond the last event's further legs, and whatever else is no event.
  auto newest = find_newest(lent->connection());
  if (!newest) return newest.error();
  page.next = std::max(page.next, *newest);
  return page;
}

Result<EventPlace> SqliteEventLog::newest() {
  auto lent = readers_.lend();
  if (!lent) return lent.error();
  ReadScope scope(lent->connection());
  if (Status begun = scope.begin(); !begun) return begun.error();
  if (Status whole = lent->require_whole_schema(); !whole) return whole.error();
  return find_newest(lent->connection());
}

}  // namespace mizan::sqlite
