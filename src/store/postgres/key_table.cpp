#include "store/postgres/key_table.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/session.hpp"
#include "store/sql/key_row.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace mizan::postgres {
namespace {

constexpr const char* where = "postgres: keys";
constexpr std::chrono::seconds patience{10};

}  // namespace

Status PostgresKeyTable::add(const KeyRecord& key) {
  const Deadline deadline = clock_.now() + patience;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  std::optional<std::int64_t> rate;
  if (key.rate_per_second) rate = *key.rate_per_second;
  Parameters parameters;
  parameters.text(key.id)
      .text(key.name)
      .small(key.scopes)
      .bytes(key.hash)
      .integer_or_null(rate)
      .time(key.created_at);
  auto added = session.ask(postgres_sql::insert_key, parameters);
  if (!added) return added.error();
  if (added->empty()) return invalid_request(where, "a key of this id exists");
  return session.commit();
}

Result<std::vector<KeyRecord>> PostgresKeyTable::list() {
  const Deadline deadline = clock_.now() + patience;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::read);
  auto found = session.ask(postgres_sql::list_keys);
  if (!found) return found.error();
  std::vector<KeyRecord> all;
  for (int row = 0; row < found->size(); ++row) {
    auto key = sql::read_key(Row(*found, row), where);
    if (!key) return key.error();
    all.push_back(*std::move(key));
  }
  return all;
}

Result<bool> PostgresKeyTable::revoke(const std::string& id, Timestamp at) {
  const Deadline deadline = clock_.now() + patience;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  Parameters parameters;
  parameters.text(id).time(at);
  auto ended = session.ask(postgres_sql::revoke_key, parameters);
  if (!ended) return ended.error();
  const bool is_revoked = !ended->empty();
  if (Status committed = session.commit(); !committed) return committed.error();
  return is_revoked;
}

}  // namespace mizan::postgres
