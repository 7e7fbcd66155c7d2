#pragma once

#include "mizan/sql.hpp"

#include "store/mariadb/session.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::mariadb {

/// The user's statements inside a guarded transaction, with parameters `?`
class UserSession final : public SqlSession {
 public:
  explicit UserSession(Session& session) noexcept : session_(session) {}

  Result<std::int64_t> execute(std::string_view statement,
                               std::span<const SqlValue> parameters) override;
  Result<std::vector<SqlRow>> query(std::string_view statement,
                                    std::span<const SqlValue> parameters) override;

 private:
  [[nodiscard]] Result<Answer> run(std::string_view statement,
                                   std::span<const SqlValue> parameters);

  Session& session_;
};

/// Why a guard's user may not run this text: it does something else than read and change rows, or
/// names one of the ledger's tables. Nothing where it may be run.
[[nodiscard]] std::string reason_to_refuse(std::string_view statement, std::string_view prefix);

}  // namespace mizan::mariadb
