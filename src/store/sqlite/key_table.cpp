#include "store/sqlite/key_table.hpp"

#include "store/sql/key_row.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <chrono>
#include <utility>

namespace mizan::sqlite {
namespace {

constexpr const char* where = "sqlite: keys";
constexpr std::chrono::seconds turn_wait{10};

}  // namespace

Result<WriteScope> SqliteKeyTable::begin() {
  if (writer_ == nullptr) return invalid_request(where, "the file was opened for reading only");
  return writer_->begin(clock_.now() + turn_wait);
}

Status SqliteKeyTable::add(const KeyRecord& key) {
  auto scope = begin();
  if (!scope) return scope.error();
  {
    Statement statement = scope->connection().statement(sqlite_sql::insert_key);
    std::optional<std::int64_t> rate;
    if (key.rate_per_second) rate = *key.rate_per_second;
    statement.bind(1, std::string_view(key.id))
        .bind(2, std::string_view(key.name))
        .bind(3, std::int64_t{key.scopes})
        .bind(4, std::span<const std::byte>(key.hash))
        .bind(5, rate)
        .bind(6, to_integer(key.created_at));
    if (Status ran = statement.run(); !ran) return ran;
  }
  if (scope->connection().changes() != 1) return invalid_request(where, "a key of this id exists");
  return scope->commit();
}

Result<std::vector<KeyRecord>> SqliteKeyTable::list() {
  auto lent = readers_.lend();
  if (!lent) return lent.error();
  if (Status whole = lent->require_whole_schema(); !whole) return whole.error();
  Statement row = lent->connection().statement(sqlite_sql::list_keys);
  std::vector<KeyRecord> all;
  while (true) {
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) return all;
    auto key = sql::read_key(row, where);
    if (!key) return key.error();
    all.push_back(*std::move(key));
  }
}

Result<bool> SqliteKeyTable::revoke(const std::string& id, Timestamp at) {
  auto scope = begin();
  if (!scope) return scope.error();
  {
    Statement statement = scope->connection().statement(sqlite_sql::revoke_key);
    statement.bind(1, std::string_view(id)).bind(2, to_integer(at));
    if (Status ran = statement.run(); !ran) return ran.error();
  }
  const bool is_revoked = scope->connection().changes() == 1;
  if (Status committed = scope->commit(); !committed) return committed.error();
  return is_revoked;
}

}  // namespace mizan::sqlite
