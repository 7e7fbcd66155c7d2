#include "store/mariadb/epoch_table.hpp"

#include "base/backoff.hpp"
#include "base/random.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/session.hpp"

#include <algorithm>
#include <chrono>

namespace mizan::mariadb {
namespace {

/// Whoever waits for a lock meanwhile has given up by then.
constexpr std::chrono::seconds patience{10};

}  // namespace

Result<std::int64_t> MariadbEpochTable::next_epoch(std::int64_t above) {
  return next_epoch_within(above, patience);
}

Result<std::int64_t> MariadbEpochTable::next_epoch_within(std::int64_t above,
                                                          std::chrono::milliseconds limit) {
  const Deadline deadline = clock_.now() + std::min<std::chrono::milliseconds>(patience, limit);
  Backoff backoff(system_random());
  for (;;) {
    auto epoch = draw(above, deadline);
    if (epoch || epoch.error().retry != Retry::now) return epoch;
    // Another node drew one too; or the transaction never came to its end, and may be a new one.
    const auto next = backoff.next(clock_.now(), deadline);
    if (!next) return epoch;
    clock_.sleep_until(*next);
  }
}

Result<std::int64_t> MariadbEpochTable::draw(std::int64_t above, Deadline deadline) {
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  Parameters parameters;
  parameters.integer(above).integer(above);
  auto raised = session.ask(mariadb_sql::raise_epoch, parameters);
  if (!raised) return raised.error();
  if (raised->affected() != 1) {
    return invalid_request("mariadb: lock epoch", "no greater epoch is left");
  }
  // The row is ours until the end of the transaction.
  auto drawn = session.ask(mariadb_sql::read_epoch);
  if (!drawn) return drawn.error();
  const std::int64_t epoch = Row(*drawn, 0).integer(0);
  if (Status committed = session.commit(); !committed) return committed.error();
  return epoch;
}

}  // namespace mizan::mariadb
