#include "bench/baseline/statement.hpp"

#include <fmt/format.h>

namespace mizan::bench {

namespace {

constexpr int busy_wait_ms = 60'000;

}  // namespace

Error database_error(sqlite3* database, std::string_view where) {
  return unavailable(fmt::format("baseline: {}", where), sqlite3_errmsg(database));
}

Status execute(sqlite3* database, const char* text) {
  if (sqlite3_exec(database, text, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return database_error(database, text);
  }
  return {};
}

Result<Database> open_database(const std::string& file) {
  sqlite3* raw = nullptr;
  const int opened =
      sqlite3_open_v2(file.c_str(),
                      &raw,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                      nullptr);
  Database database(raw);
  if (opened != SQLITE_OK) return unavailable("baseline", "cannot open " + file);
  sqlite3_busy_timeout(raw, busy_wait_ms);
  auto set = execute(raw,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                     "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY");
  if (!set) return std::move(set).error();
  return database;
}

Result<Statement> Statement::prepare(sqlite3* database, std::string_view text) {
  sqlite3_stmt* raw = nullptr;
  const int prepared = sqlite3_prepare_v3(database,
                                          text.data(),
                                          static_cast<int>(text.size()),
                                          SQLITE_PREPARE_PERSISTENT,
                                          &raw,
                                          nullptr);
  Statement statement(raw);
  if (prepared != SQLITE_OK) return database_error(database, text);
  return statement;
}

Statement& Statement::bind(int place, std::string_view text) {
  sqlite3_bind_text(
      statement_.get(), place, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind(int place, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), place, number);
  return *this;
}

Error Statement::failure() {
  return database_error(sqlite3_db_handle(statement_.get()), sqlite3_sql(statement_.get()));
}

Status Statement::run() {
  const auto answer = number();
  if (!answer) return answer.error();
  return {};
}

Result<std::optional<std::int64_t>> Statement::number() {
  std::optional<std::int64_t> answer;
  int step = sqlite3_step(statement_.get());
  while (step == SQLITE_ROW) {
    answer = sqlite3_column_int64(statement_.get(), 0);
    step = sqlite3_step(statement_.get());
  }
  if (step == SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    return answer;
  }
  Error error = failure();
  sqlite3_reset(statement_.get());
  return error;
}

}  // namespace mizan::bench
