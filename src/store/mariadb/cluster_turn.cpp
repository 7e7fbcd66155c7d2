#include "store/mariadb/cluster_turn.hpp"

#include "base/backoff.hpp"
#include "base/random.hpp"
#include "store/mariadb/mariadb_sql.hpp"

#include <chrono>
#include <utility>

namespace mizan::mariadb {
namespace {

/// Longer than a migration may take.
constexpr std::chrono::microseconds turn_length = std::chrono::seconds(90);

constexpr int give_attempts_max = 5;

}  // namespace

ClusterTurn::ClusterTurn(Pool::Lent lent, const Clock& clock, Deadline deadline)
    : lent_(std::move(lent)),
      clock_(clock),
      deadline_(deadline),
      owner_(std::to_string(system_random().next())) {}

template <class Work>
Result<bool> ClusterTurn::in_transaction(Work work) {
  Session session(*std::move(lent_), clock_, deadline_, Session::Kind::write);
  Result<bool> done = work(session);
  if (done) {
    if (Status committed = session.commit(); !committed) done = committed.error();
  }
  if (!done) session.roll_back();
  lent_.emplace(session.release());
  return done;
}

Result<bool> ClusterTurn::change(std::string_view statement, const Parameters& parameters) {
  return in_transaction([&](Session& session) -> Result<bool> {
    auto answer = session.ask(statement, parameters);
    if (!answer) return answer.error();
    return answer->affected() == 1;
  });
}

Result<bool> ClusterTurn::try_once() {
  Parameters take;
  take.text(owner_).integer(turn_length.count());
  auto taken = change(mariadb_sql::take_turn, take);
  if (!taken || *taken) return taken;
  // Nobody has ever had it; or somebody has it now, and the row is there.
  auto inserted =
      in_transaction([](Session& session) { return session.insert(mariadb_sql::insert_turn, {}); });
  if (!inserted || !*inserted) return inserted;
  return change(mariadb_sql::take_turn, take);
}

Status ClusterTurn::take() {
  Status made = connection().tell(mariadb_sql::create_turns, {}, deadline_);
  Backoff backoff(system_random());
  while (made) {
    auto taken = try_once();
    if (taken && *taken) return {};
    const bool is_over = !taken && (taken.error().retry != Retry::now || connection().is_lost());
    if (is_over) return taken.error();
    const auto next = backoff.next(clock_.now(), deadline_);
    if (!next) break;
    clock_.sleep_until(*next);
  }
  if (!made) return made;
  return unavailable("mariadb: migrate", "another process migrates the ledger for too long");
}

void ClusterTurn::give_back() {
  Parameters owner;
  owner.text(owner_);
  for (int attempt = 0; attempt < give_attempts_max; ++attempt) {
    if (connection().is_lost() || change(mariadb_sql::give_turn, owner)) return;
  }
}

}  // namespace mizan::mariadb
