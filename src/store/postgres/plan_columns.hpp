#pragma once

#include "mizan/plan.hpp"

#include "store/postgres/values.hpp"
#include "store/sql/hold_changes.hpp"
#include "store/sql/plan_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace mizan::postgres {

// The rows of a plan as the parameters of the statements that write them: one array a column.

enum class JournalShape : std::uint8_t {
  plain,  ///< append_journal.sql: operations that are nothing but legs.
  full,   ///< append_full_journal.sql.
};

enum class WalletShape : std::uint8_t {
  balances,  ///< write_balances.sql: held, limit and status stay as they are.
  all,       ///< write_wallets.sql.
};

[[nodiscard]] WalletShape shape_of(const Plan& plan);
[[nodiscard]] JournalShape shape_of(const std::vector<sql::JournalRow>& rows);
[[nodiscard]] Parameters journal_columns(const std::vector<sql::JournalRow>& rows,
                                         JournalShape shape);

/// insert_holds.sql and change_holds.sql.
[[nodiscard]] Parameters created_hold_columns(const std::vector<sql::HoldChanges::Change>& created);
[[nodiscard]] Parameters changed_hold_columns(const std::vector<sql::HoldChanges::Change>& changed);

/// insert_reversals.sql.
[[nodiscard]] Parameters reversal_columns(const Plan& plan);

/// write_balances.sql, write_wallets.sql and write_links.sql; of one row at least.
[[nodiscard]] Parameters balance_columns(std::span<const sql::WalletRow> rows);
[[nodiscard]] Parameters wallet_columns(std::span<const sql::WalletRow> rows);
[[nodiscard]] Parameters link_columns(std::span<const sql::WalletRow> rows);

}  // namespace mizan::postgres
