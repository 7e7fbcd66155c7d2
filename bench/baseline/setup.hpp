#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"

#include "bench/baseline/statement.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mizan::bench {

/// The tables of a baseline, and how rich each wallet is.
struct BaselineSetup {
  const char* schema;  ///< A table `wallet` of id and balance comes first.
  std::int64_t wealth;
};

/// Makes the tables and the wallets.
[[nodiscard]] Status fill(sqlite3* database,
                          const BaselineSetup& setup,
                          std::span<const WalletId> wallets);

struct WantedStatement {
  std::optional<Statement>& statement;
  std::string_view text;
};

[[nodiscard]] Status prepare_all(sqlite3* database, std::span<const WantedStatement> wanted);

}  // namespace mizan::bench
