#pragma once

#include "mizan/sql.hpp"

#include <vector>

struct sqlite3_stmt;

namespace mizan::sqlite {

class Connection;

/// Runs the user's statements on the writing connection, inside the guard's transaction. While one
/// is prepared and run, SQLite asks us about everything it touches; we refuse transaction control,
/// other files, settings, and every table, index and view of the ledger.
class UserSession final : public SqlSession {
 public:
  explicit UserSession(Connection& connection) noexcept : connection_(connection) {}

  Result<std::int64_t> execute(std::string_view statement,
                               std::span<const SqlValue> parameters) override;
  Result<std::vector<SqlRow>> query(std::string_view statement,
                                    std::span<const SqlValue> parameters) override;

 private:
  [[nodiscard]] Result<std::vector<SqlRow>> run(std::string_view statement,
                                                std::span<const SqlValue> parameters);

  Connection& connection_;
};

}  // namespace mizan::sqlite
