#include "store/sqlite/epoch_table.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <chrono>

namespace mizan::sqlite {
namespace {

constexpr const char* where = "sqlite: lock epoch";

/// Whoever waits for a lock meanwhile has given up by then.
constexpr std::chrono::seconds turn_wait{10};

}  // namespace

Result<std::int64_t> SqliteEpochTable::next_epoch(std::int64_t above) {
  if (writer_ == nullptr) return invalid_request(where, "the file was opened for reading only");
  auto scope = writer_->begin(clock_.now() + turn_wait);
  if (!scope) return scope.error();
  std::int64_t epoch = 0;
  {
    Statement row = scope->connection().statement(sqlite_sql::next_epoch);
    row.bind(1, above);
    auto drawn = row.step();
    if (!drawn) return drawn.error();
    if (!*drawn) return invalid_request(where, "no greater epoch is left");
    epoch = row.integer(0);
  }
  if (Status committed = scope->commit(); !committed) return committed.error();
  return epoch;
}

}  // namespace mizan::sqlite
