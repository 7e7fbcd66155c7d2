#include "store/mariadb/event_log.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/records.hpp"
#include "store/mariadb/session.hpp"
#include "store/sql/event_reader.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::mariadb {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr int lost_races_max = 20;

class MariadbEventSource final : public sql::EventSource {
 public:
  explicit MariadbEventSource(Session session) : session_(std::move(session)) {}

  Result<std::vector<sql::EventBatch>> list_batches(std::int64_t position,
                                                    std::size_t limit) override {
    Parameters parameters;
    parameters.integer(position).integer(static_cast<std::int64_t>(limit));
    auto answer = session_.ask(mariadb_sql::list_event_batches, parameters);
    if (!answer) return answer.error();
    std::vector<sql::EventBatch> batches;
    for (std::size_t i = 0; i < answer->size(); ++i) {
      const Row row(*answer, i);
      batches.push_back({row.integer(0), row.integer(1), row.integer(2)});
    }
    return batches;
  }

  Result<std::vector<sql::EventStart>> find_starts(
      std::span<const std::int64_t> sequences) override {
    Parameters parameters;
    parameters.list(sequences);
    auto answer = session_.ask(mariadb_sql::find_events, parameters);
    if (!answer) return answer.error();
    std::vector<sql::EventStart> starts;
    for (std::size_t i = 0; i < answer->size(); ++i) {
      const Row row(*answer, i);
      starts.push_back({static_cast<std::size_t>(row.integer(0) - 1), read_operation_id(row, 1)});
    }
    return starts;
  }

  Result<std::vector<KnownOperation>> find_operations(
      std::span<const OperationId* const> ids) override {
    return mariadb::find_operations(session_, ids);
  }

 private:
  Session session_;
};

/// One statement for all rows, each of which must count.
Status change_rows(Session& session,
                   std::string_view what,
                   std::string_view statement,
                   const Parameters& rows) {
  auto changed = session.ask_for_rows(statement, rows);
  if (!changed) return changed.error();
  const auto expected = static_cast<std::int64_t>(rows.rows());
  if (*changed == expected) return {};
  return session.explain(internal_error(
      "mariadb: " + std::string(what),
      "expected " + std::to_string(expected) + " rows, got " + std::to_string(*changed)));
}

/// Gives what stands in the outbox the positions after `last`.
Status move_to_order(Session& session, const Answer& waiting, std::int64_t last) {
  const auto column = [&](Parameters& parameters, std::size_t of) {
    parameters.column(Kind::integer, waiting.size(), [&](CellWriter& out, std::size_t i) {
      out.integer(Row(waiting, i).integer(of));
    });
  };
  const auto count = static_cast<std::int64_t>(waiting.size());
  Parameters placed;
  placed.column(Kind::integer, waiting.size(), [&](CellWriter& out, std::size_t i) {
    out.integer(last + 1 + static_cast<std::int64_t>(i));
  });
  column(placed, 1);
  column(placed, 2);
  Status done =
      change_rows(session, "insert_event_batches", mariadb_sql::insert_event_batches, placed);
  if (!done) return done;
  Parameters removed;
  column(removed, 0);
  column(removed, 1);
  done = change_rows(session, "remove_from_outbox", mariadb_sql::remove_from_outbox, removed);
  if (!done) return done;
  Parameters position;
  position.integer(last + count);
  return change_rows(session, "move_event_counter", mariadb_sql::move_event_counter, position);
}

}  // namespace

Result<EventPage> MariadbEventLog::read_until(EventPlace after,
                                              std::size_t limit,
                                              Deadline deadline) {
  if (Status valid = sql::check_event_limit(limit); !valid) return valid.error();
  const auto until = std::min<Deadline>(deadline, clock_.now() + patience);
  auto placed = newest_until(until);
  if (!placed) return placed.error();
  auto lent = readers_.lend(until);
  if (!lent) return lent.error();
  MariadbEventSource source(Session(std::move(*lent), clock_, until, Session::Kind::read));
  return sql::read_events(source, after, limit);
}

Result<EventPlace> MariadbEventLog::newest_until(Deadline deadline) {
  const auto until = std::min<Deadline>(deadline, clock_.now() + patience);
  bool is_waiting = false;
  std::int64_t position = 0;
  {
    auto lent = readers_.lend(until);
    if (!lent) return lent.error();
    Session session(std::move(*lent), clock_, until, Session::Kind::read);
    auto answer = session.ask(mariadb_sql::find_newest_event);
    if (!answer) return answer.error();
    position = Row(*answer, 0).integer(0);
    is_waiting = Row(*answer, 0).flag(1);
  }
  if (is_waiting) {
    auto placed = place_all(until);
    if (!placed) return placed.error();
    position = *placed;
  }
  return position == 0 ? EventPlace{0} : sql::end_of_position(position);
}

Result<std::int64_t> MariadbEventLog::place_all(Deadline deadline) {
  for (int lost_races = 0;;) {
    auto placed = place_some(deadline);
    // In a cluster two nodes may give places at once; one of them finds that out at its COMMIT.
    const bool is_lost_race = !placed && placed.error().retry == Retry::now;
    if (is_lost_race && ++lost_races < lost_races_max) continue;
    if (!placed || *placed != 0) return placed;
  }
}

/// Answers the last position, or 0 where more may be waiting.
Result<std::int64_t> MariadbEventLog::place_some(Deadline deadline) {
  auto lent = writers_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  auto locked = session.ask(mariadb_sql::lock_event_counter);
  if (!locked) return locked.error();
  const std::int64_t before = Row(*locked, 0).integer(0);
  Parameters limit;
  limit.integer(sql::placed_at_once);
  auto waiting = session.ask(mariadb_sql::list_outbox, limit);
  if (!waiting) return waiting.error();
  const auto count = static_cast<std::int64_t>(waiting->size());
  if (count == 0) return before;
  if (Status moved = move_to_order(session, *waiting, before); !moved) return moved.error();
  if (Status committed = session.commit(); !committed) return committed.error();
  return count == sql::placed_at_once ? 0 : before + count;
}

}  // namespace mizan::mariadb
