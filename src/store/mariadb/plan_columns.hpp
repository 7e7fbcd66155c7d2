#pragma once

#include "mizan/plan.hpp"

#include "store/mariadb/values.hpp"
#include "store/sql/hold_changes.hpp"
#include "store/sql/plan_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace mizan::mariadb {

// The rows of a plan as the parameters of the statements that write them: a column each.

enum class JournalShape : std::uint8_t {
  plain,  ///< append_journal.sql: operations that are nothing but legs.
  full,   ///< append_full_journal.sql.
};

[[nodiscard]] JournalShape shape_of(const std::vector<sql::JournalRow>& rows);
[[nodiscard]] Parameters journal_columns(const std::vector<sql::JournalRow>& rows,
                                         JournalShape shape);

/// insert_holds.sql and change_holds.sql.
[[nodiscard]] Parameters created_hold_columns(const std::vector<sql::HoldChanges::Change>& created);
[[nodiscard]] Parameters changed_hold_columns(const std::vector<sql::HoldChanges::Change>& changed);

/// insert_reversals.sql.
[[nodiscard]] Parameters reversal_columns(const Plan& plan);

/// write_wallets.sql and write_links.sql.
[[nodiscard]] Parameters wallet_columns(std::span<const sql::WalletRow> rows);
[[nodiscard]] Parameters link_columns(std::span<const sql::WalletRow> rows);

/// Of apply_delta.sql.
[[nodiscard]] Parameters delta_columns(const GuardedDelta& delta);

}  // namespace mizan::mariadb
