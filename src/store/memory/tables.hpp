#pragma once

#include "mizan/plan.hpp"
#include "mizan/store.hpp"

#include "store/memory/versioned.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace mizan::memory {

struct WalletRow {
  WalletState state;
  Metadata metadata;
  Timestamp created_at;
};

/// Where an entry of a wallet stands: in which leg, on which side.
struct EntryPosition {
  std::size_t leg = 0;
  bool credit = false;
};

struct JournalRow {
  CommitNumber since = 0;
  JournalLeg leg;
};

struct OperationRow {
  CommitNumber since = 0;
  Fingerprint fingerprint{};
  OperationType type = OperationType::transfer;
  Timestamp at;
  std::size_t first_leg = 0;
  std::size_t leg_count = 0;
  Metadata metadata;
  std::shared_ptr<const HoldRecord> hold;  // What it left of its hold. Shared: immutable.
  std::optional<OperationId> reverses;
  std::shared_ptr<const Refusal> refusal;  // Shared: immutable.
};

struct ReversalRow {
  CommitNumber since = 0;
  OperationId reversed_by;
};

struct CurrencyRow {
  CommitNumber since = 0;
  Currency currency;
};

/// All the rows. Guarded by `mutex`: readers share it, the one transaction that has the turn
/// takes it alone for each write. Nobody holds it between two calls.
struct Tables {
  mutable std::shared_mutex mutex;

  CommitNumber committed = 0;
  std::multiset<CommitNumber> readers;  // The commit that each living snapshot looks at.

  std::deque<Versioned<WalletRow>> wallets;  // Wallet number n stands at n − 1.
  std::map<WalletId, WalletNumber> wallet_numbers;
  std::deque<std::vector<EntryPosition>> histories;  // Beside `wallets`; version v at v − 1.
  std::deque<JournalRow> journal;                    // Sequence s stands at s − 1.
  std::unordered_map<OperationId, OperationRow> operations;
  std::deque<OperationId> operation_order;  // As they were recorded.
  std::map<OperationId, Versioned<HoldRecord>> holds;
  std::unordered_map<OperationId, ReversalRow> reversals;  // By the operation that was reversed.
  std::map<CurrencyCode, CurrencyRow> currencies;
  std::map<Resource, Fence> fences;

  /// The oldest commit that a living or a future snapshot may look at.
  [[nodiscard]] CommitNumber oldest_reader() const {
    return readers.empty() ? committed : *readers.begin();
  }
};

[[nodiscard]] inline std::size_t index_of(WalletNumber number) noexcept {
  return static_cast<std::size_t>(number.value() - 1);
}

}  // namespace mizan::memory
