#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"

#include "store/sql/history.hpp"
#include "store/sqlite/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mizan::sqlite {

class Connection;

/// How many rows of the journal an operation becomes.
[[nodiscard]] std::size_t journal_rows(const PlannedOperation& operation) noexcept;

/// Lays a plan out as a batch and links its entries into their wallets' chains. One use.
class BatchBuilder {
 public:
  /// `last`: the journal's last sequence before the plan.
  BatchBuilder(Connection& connection, Batch& batch, Sequence last);

  /// Fills the batch and `plan.wallets[i].after.links`. An error is a bug of whoever made the
  /// plan: entries that do not follow each other or do not end in the wallet's state.
  [[nodiscard]] Status build(Plan& plan);

 private:
  /// What one leg does to one wallet.
  struct SideEntry {
    std::uint64_t version = 0;
    std::int64_t balance = 0;
    std::int64_t change = 0;
  };

  /// How far one wallet has come while its legs are laid out.
  struct Progress {
    std::int64_t number = 0;
    HistoryLinks links;
    std::uint64_t version = 0;  // Of its newest entry in this plan; 0: none yet.
    std::int64_t balance = 0;
    std::uint64_t version_before = 0;  // What its first entry in this plan continues.
    std::int64_t balance_before = 0;
  };

  [[nodiscard]] Status add_operation(const PlannedOperation& operation);
  [[nodiscard]] Status add_leg(const PlannedLeg& leg, JournalRow& row);
  void add_texts(const PlannedOperation& operation, JournalRow& row);

  /// Moves the wallet's chain on to `sequence`; answers where the new entry goes on.
  [[nodiscard]] Result<sql::EntryLinks> advance(Slot slot,
                                                const SideEntry& entry,
                                                Sequence sequence);
  [[nodiscard]] Result<Sequence> find_jump(const Progress& wallet, std::uint64_t version);
  [[nodiscard]] Result<Sequence> jump_of(std::int64_t wallet, Sequence sequence);
  [[nodiscard]] Status add_balances(std::vector<WalletChange>& wallets);

  Connection& connection_;
  Batch& batch_;
  Sequence last_;
  std::vector<Progress> wallets_;
};

}  // namespace mizan::sqlite
