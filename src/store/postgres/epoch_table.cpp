#include "store/postgres/epoch_table.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/session.hpp"

#include <algorithm>
#include <chrono>

namespace mizan::postgres {
namespace {

/// Whoever waits for a lock meanwhile has given up by then.
constexpr std::chrono::seconds patience{10};

}  // namespace

Result<std::int64_t> PostgresEpochTable::next_epoch(std::int64_t above) {
  return next_epoch_within(above, patience);
}

Result<std::int64_t> PostgresEpochTable::next_epoch_within(std::int64_t above,
                                                           std::chrono::milliseconds limit) {
  const Deadline deadline = clock_.now() + std::min<std::chrono::milliseconds>(patience, limit);
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  Parameters parameters;
  parameters.integer(above);
  auto drawn = session.ask(postgres_sql::next_epoch, parameters);
  if (!drawn) return drawn.error();
  if (drawn->empty()) {
    return invalid_request("postgres: lock epoch", "no greater epoch is left");
  }
  const std::int64_t epoch = Row(*drawn, 0).integer(0);
  if (Status committed = session.commit(); !committed) return committed.error();
  return epoch;
}

}  // namespace mizan::postgres
