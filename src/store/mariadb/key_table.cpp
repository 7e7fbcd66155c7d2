#include "store/mariadb/key_table.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/session.hpp"
#include "store/sql/key_row.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace mizan::mariadb {
namespace {

constexpr const char* where = "mariadb: keys";
constexpr std::chrono::seconds patience{10};

}  // namespace

Status MariadbKeyTable::add(const KeyRecord& key) {
  const Deadline deadline = clock_.now() + patience;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  std::optional<std::int64_t> rate;
  if (key.rate_per_second) rate = *key.rate_per_second;
  Parameters parameters;
  parameters.text(key.id)
      .text(key.name)
      .integer(key.scopes)
      .bytes(key.hash)
      .integer_or_null(rate)
      .time(key.created_at);
  auto added = session.ask(mariadb_sql::insert_key, parameters);
  if (!added) return added.error();
  return session.commit();
}

Result<std::vector<KeyRecord>> MariadbKeyTable::list() {
  const Deadline deadline = clock_.now() + patience;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::read);
  auto found = session.ask(mariadb_sql::list_keys);
  if (!found) return found.error();
  std::vector<KeyRecord> all;
  for (std::size_t row = 0; row < found->size(); ++row) {
    auto key = sql::read_key(Row(*found, row), where);
    if (!key) return key.error();
    all.push_back(*std::move(key));
  }
  return all;
}

Result<bool> MariadbKeyTable::revoke(const std::string& id, Timestamp at) {
  const Deadline deadline = clock_.now() + patience;
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  Parameters parameters;
  parameters.time(at).text(id);
  auto ended = session.ask(mariadb_sql::revoke_key, parameters);
  if (!ended) return ended.error();
  const bool is_revoked = ended->affected() == 1;
  if (Status committed = session.commit(); !committed) return committed.error();
  return is_revoked;
}

}  // namespace mizan::mariadb
