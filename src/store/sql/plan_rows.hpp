#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"

#include "store/sql/history.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mizan::sql {

// A plan as the rows that it becomes, with each entry linked into its wallet's chain.

/// Borrows from the plan.
struct JournalRow {
  const PlannedOperation* operation = nullptr;
  bool is_first = false;            ///< Carries what belongs to the operation as a whole.
  const PlannedLeg* leg = nullptr;  ///< Null: an operation without legs, or a refusal.
  Sequence sequence;
  WalletNumber from;
  WalletNumber to;
  EntryLinks from_links;
  EntryLinks to_links;
};

struct WalletRow {
  const WalletChange* change = nullptr;
  HistoryLinks links;
  std::uint64_t version_before = 0;
  std::int64_t balance_before = 0;
};

struct PlanRows {
  std::vector<JournalRow> journal;
  std::vector<WalletRow> wallets;  ///< In order of number.
};

/// Where an entry that was stored before jumps to.
using ReadJump = std::function<Result<Sequence>(WalletNumber wallet, Sequence entry)>;

/// The number of journal rows that a plan becomes.
[[nodiscard]] std::size_t count_rows(const Plan& plan) noexcept;

/// Lays the plan out with its rows from `first` on and fills in `plan.wallets[i].after.links`.
/// An error is a bug of whoever made the plan: entries that do not follow each other or do not end
/// in the wallet's state.
[[nodiscard]] Result<PlanRows> lay_out(Plan& plan, Sequence first, const ReadJump& read_jump);

}  // namespace mizan::sql
