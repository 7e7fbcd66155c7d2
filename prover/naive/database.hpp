#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mizan::prover::naive {

using Value = std::variant<std::int64_t, std::string>;
using Row = std::vector<Value>;

/// A plain SQLite connection. Statements of these programs do not fail in a run that works, so a
/// failure ends the process with SQLite's message. One thread at a time.
class Database {
 public:
  explicit Database(const std::filesystem::path& file);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Runs one statement; answers its rows.
  std::vector<Row> run(std::string_view sql, std::initializer_list<Value> parameters = {});

  /// Rows changed by the last statement.
  [[nodiscard]] int changes() const;

 private:
  sqlite3* connection_ = nullptr;
};

[[nodiscard]] std::int64_t number(const Value& value);
[[nodiscard]] std::string text(const Value& value);

}  // namespace mizan::prover::naive
