#pragma once

#include "mizan/result.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::bench {

struct CloseDatabase {
  void operator()(sqlite3* database) const noexcept { sqlite3_close(database); }
};

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

using Database = std::unique_ptr<sqlite3, CloseDatabase>;

/// Opens the file for writing, waiting up to a minute for whoever has it locked, with the
/// durability that our own store has.
[[nodiscard]] Result<Database> open_database(const std::string& file);

[[nodiscard]] Error database_error(sqlite3* database, std::string_view where);

[[nodiscard]] Status execute(sqlite3* database, const char* text);

/// A prepared statement. One thread at a time.
class Statement {
 public:
  [[nodiscard]] static Result<Statement> prepare(sqlite3* database, std::string_view text);

  Statement& bind(int place, std::string_view text);
  Statement& bind(int place, std::int64_t number);

  /// Runs it to its end and makes it ready for the next time.
  [[nodiscard]] Status run();

  /// As `run`, for statements that answer one number, or none.
  [[nodiscard]] Result<std::optional<std::int64_t>> number();

 private:
  explicit Statement(sqlite3_stmt* statement) noexcept : statement_(statement) {}

  [[nodiscard]] Error failure();

  std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement_;
};

}  // namespace mizan::bench
