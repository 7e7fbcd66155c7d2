#include "prover/naive/database.hpp"

#include <cstdio>
#include <cstdlib>

namespace mizan::prover::naive {

namespace {

[[noreturn]] void stop(sqlite3* connection, std::string_view sql) {
  std::fprintf(stderr,
               "prover: naive program: %s (%.*s)\n",
               sqlite3_errmsg(connection),
               static_cast<int>(sql.size()),
               sql.data());
  std::_Exit(5);
}

void bind(sqlite3_stmt* statement, int index, const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement, index, *whole);
    return;
  }
  const std::string& words = std::get<std::string>(value);
  // Null as destructor means SQLITE_STATIC: the parameter outlives the statement's run.
  sqlite3_bind_text(statement, index, words.data(), static_cast<int>(words.size()), nullptr);
}

Row read_row(sqlite3_stmt* statement) {
  Row row;
  for (int column = 0; column < sqlite3_column_count(statement); ++column) {
    if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
      row.emplace_back(std::int64_t{sqlite3_column_int64(statement, column)});
      continue;
    }
    const void* bytes = sqlite3_column_text(statement, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    row.emplace_back(std::string(static_cast<const char*>(bytes), size));
  }
  return row;
}

}  // namespace

Database::Database(const std::filesystem::path& file) {
  if (sqlite3_open(file.c_str(), &connection_) != SQLITE_OK) stop(connection_, "open");
  sqlite3_busy_timeout(connection_, 20'000);
  run("PRAGMA journal_mode = WAL");
  run("PRAGMA synchronous = NORMAL");
}

Database::~Database() {
  sqlite3_close(connection_);
}

std::vector<Row> Database::run(std::string_view sql, std::initializer_list<Value> parameters) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(
          connection_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK) {
    stop(connection_, sql);
  }
  int index = 0;
  for (const Value& value : parameters) bind(statement, ++index, value);
  std::vector<Row> rows;
  int step = sqlite3_step(statement);
  for (; step == SQLITE_ROW; step = sqlite3_step(statement)) rows.push_back(read_row(statement));
  if (step != SQLITE_DONE) stop(connection_, sql);
  sqlite3_finalize(statement);
  return rows;
}

int Database::changes() const {
  return sqlite3_changes(connection_);
}

std::int64_t number(const Value& value) {
  return std::get<std::int64_t>(value);
}

std::string text(const Value& value) {
  return std::get<std::string>(value);
}

}  // namespace mizan::prover::naive
