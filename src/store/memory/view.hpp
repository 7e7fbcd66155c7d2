#pragma once

#include "store/memory/tables.hpp"

#include <optional>
#include <vector>

namespace mizan::memory {

/// The tables as of one commit. A snapshot looks at a committed one, a transaction at its own.
/// Requires: the caller holds `Tables::mutex` during each call and as long as it uses a pointer.
class View {
 public:
  View(const Tables& tables, CommitNumber commit) noexcept : tables_(&tables), commit_(commit) {}

  [[nodiscard]] const WalletRow* find_row(WalletNumber number) const;
  [[nodiscard]] const WalletRow* find_row(const WalletId& id) const;
  [[nodiscard]] const HoldRecord* find_hold_record(const OperationId& id) const;
  [[nodiscard]] const OperationRow* find_operation_row(const OperationId& id) const;
  [[nodiscard]] const ReversalRow* find_reversal(const OperationId& reversed) const;
  [[nodiscard]] std::optional<Currency> find_currency(const CurrencyCode& code) const;

  [[nodiscard]] std::optional<RecordedOperation> find_operation(const OperationId& id) const;
  [[nodiscard]] std::vector<LegReceipt> leg_receipts(const OperationRow& row) const;
  [[nodiscard]] Hold hold_of(const HoldRecord& record) const;

  /// The entry of `wallet` with this version.
  /// Requires: 1 <= version <= wallet.state.version
  [[nodiscard]] Entry entry(const WalletRow& wallet, std::uint64_t version) const;
  [[nodiscard]] Timestamp entry_time(const WalletRow& wallet, std::uint64_t version) const;
  [[nodiscard]] BalanceAt balance_at(const WalletRow& wallet, std::uint64_t version) const;

  /// The newest version that came to be at or before `time`; 0 when none did. Binary search:
  /// entries of one wallet never go back in time.
  [[nodiscard]] std::uint64_t last_version_until(const WalletRow& wallet, Timestamp time) const;

  [[nodiscard]] const Tables& tables() const noexcept { return *tables_; }

  [[nodiscard]] CommitNumber commit() const noexcept { return commit_; }

 private:
  [[nodiscard]] WalletId id_or_world(WalletNumber number, const CurrencyCode& currency) const;
  [[nodiscard]] const JournalLeg& leg_of(const WalletRow& wallet, std::uint64_t version) const;

  const Tables* tables_;
  CommitNumber commit_;
};

[[nodiscard]] Wallet wallet_of(const WalletRow& row);

}  // namespace mizan::memory
