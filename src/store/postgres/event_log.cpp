#include "store/postgres/event_log.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/records.hpp"
#include "store/postgres/session.hpp"
#include "store/sql/event_reader.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace mizan::postgres {
namespace {

constexpr std::chrono::seconds patience{10};

class PostgresEventSource final : public sql::EventSource {
 public:
  explicit PostgresEventSource(Session session) : session_(std::move(session)) {}

  Result<std::vector<sql::EventBatch>> list_batches(std::int64_t position,
                                                    std::size_t limit) override {
    Parameters parameters;
    parameters.integer(position).integer(static_cast<std::int64_t>(limit));
    auto answer = session_.ask(postgres_sql::list_event_batches, parameters);
    if (!answer) return answer.error();
    std::vector<sql::EventBatch> batches;
    for (int i = 0; i < answer->size(); ++i) {
      const Row row(*answer, i);
      batches.push_back({row.integer(0), row.integer(1), row.integer(2)});
    }
    return batches;
  }

  Result<std::vector<sql::EventStart>> find_starts(
      std::span<const std::int64_t> sequences) override {
    Parameters parameters;
    parameters.integers(sequences);
    auto answer = session_.ask(postgres_sql::find_events, parameters);
    if (!answer) return answer.error();
    std::vector<sql::EventStart> starts;
    for (int i = 0; i < answer->size(); ++i) {
      const Row row(*answer, i);
      starts.push_back({static_cast<std::size_t>(row.integer(0) - 1), read_operation_id(row, 1)});
    }
    return starts;
  }

  Result<std::vector<KnownOperation>> find_operations(
      std::span<const OperationId* const> ids) override {
    return postgres::find_operations(session_, ids);
  }

 private:
  Session session_;
};

}  // namespace

Result<EventPage> PostgresEventLog::read_until(EventPlace after,
                                               std::size_t limit,
                                               Deadline deadline) {
  if (Status valid = sql::check_event_limit(limit); !valid) return valid.error();
  const auto until = std::min<Deadline>(deadline, clock_.now() + patience);
  auto placed = newest_until(until);
  if (!placed) return placed.error();
  auto lent = readers_.lend(until);
  if (!lent) return lent.error();
  PostgresEventSource source(Session(std::move(*lent), clock_, until, Session::Kind::read));
  return sql::read_events(source, after, limit);
}

Result<EventPlace> PostgresEventLog::newest_until(Deadline deadline) {
  const auto until = std::min<Deadline>(deadline, clock_.now() + patience);
  bool is_waiting = false;
  std::int64_t position = 0;
  {
    auto lent = readers_.lend(until);
    if (!lent) return lent.error();
    Session session(std::move(*lent), clock_, until, Session::Kind::read);
    auto answer = session.ask(postgres_sql::find_newest_event);
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

Result<std::int64_t> PostgresEventLog::place_all(Deadline deadline) {
  for (;;) {
    auto placed = place_some(deadline);
    if (!placed || *placed != 0) return placed;
  }
}

/// Answers the last position, or 0 where more may be waiting.
Result<std::int64_t> PostgresEventLog::place_some(Deadline deadline) {
  auto lent = writers_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  session.send(postgres_sql::lock_event_counter);
  Parameters parameters;
  parameters.integer(sql::placed_at_once);
  session.send(postgres_sql::place_events, parameters);
  auto answers = session.run();
  if (!answers) return answers.error();
  const std::int64_t before = Row(answers->front(), 0).integer(0);
  const std::int64_t placed = Row(answers->back(), 0).integer(0);
  if (Status committed = session.commit(); !committed) return committed.error();
  return placed == sql::placed_at_once ? 0 : before + placed;
}

}  // namespace mizan::postgres
