#pragma once

#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/wallet.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace mizan {

// The language between the rules and the stores: the rules write plans, a store applies them and
// does not judge.

/// The store's own links into a wallet's chain of entries. Everybody else only carries them.
struct HistoryLinks {
  Sequence head;   ///< The wallet's newest entry.
  Sequence block;  ///< The newest entry whose version is a multiple of the store's stride.
};

/// What a decision reads of a wallet and what a write leaves of it.
/// `revision` grows with every write to the row (money, holds, status, limits) and guards it;
/// `version` counts entries only.
struct WalletState {
  WalletNumber number;
  WalletId id;
  Currency currency;
  WalletStatus status = WalletStatus::active;
  MinorUnits balance;
  MinorUnits held;
  MinBalance min_balance = MinorUnits{0};
  std::uint64_t version = 0;
  std::uint64_t revision = 0;
  Timestamp last_entry_at;  ///< Entries of one wallet never go back in time.
  HistoryLinks links;
};

/// A guarded write: takes effect only when the row's revision still is `revision_before`.
struct WalletChange {
  WalletState after;
  std::uint64_t revision_before = 0;
  bool balance_changed = true;  ///< False: only held, status or limits; no entries were added.
};

/// Index into `Plan::wallets`, or `world_slot`.
using Slot = std::uint32_t;
inline constexpr Slot world_slot = std::numeric_limits<Slot>::max();

/// One leg with its effect: the balance and version of either side after it (0 for `@world`).
struct PlannedLeg {
  Slot from = world_slot;
  Slot to = world_slot;
  MinorUnits amount;
  MinorUnits from_balance;
  std::uint64_t from_version = 0;
  MinorUnits to_balance;
  std::uint64_t to_version = 0;
};

/// A hold as it is stored: with wallet numbers instead of ids.
struct HoldRecord {
  OperationId id;
  WalletNumber wallet;
  WalletNumber to;
  MinorUnits amount;
  MinorUnits captured;
  HoldStatus status = HoldStatus::open;
  std::optional<Timestamp> expires_at;
  Timestamp created_at;
};

/// What an operation does to a hold. Creating demands that no hold of that id exists; changing
/// demands that status and captured are still `status_before` and `captured_before`.
struct HoldChange {
  enum class Kind : std::uint8_t { create, change };
  Kind kind = Kind::create;
  HoldRecord after;
  HoldStatus status_before = HoldStatus::open;
  MinorUnits captured_before;
};

/// One operation, decided. With `refusal` set nothing but the id and the refusal is recorded.
struct PlannedOperation {
  OperationId id;
  Fingerprint fingerprint{};
  OperationType type = OperationType::transfer;
  Timestamp at;
  std::vector<PlannedLeg> legs;
  Metadata metadata;
  std::unique_ptr<HoldChange> hold;
  std::unique_ptr<OperationId> reverses;  ///< Recorded at most once per reversed operation.
  std::shared_ptr<const Refusal> refusal;
};

/// What one database transaction writes. Wallets appear once each, in the order of first use.
struct Plan {
  std::vector<PlannedOperation> operations;
  std::vector<WalletChange> wallets;
};

/// A change that the database itself guards (the atomic strategy): applied only while the wallet
/// is active, in `currency`, and neither `min_balance` nor 64 bits nor a condition is crossed.
struct GuardedDelta {
  WalletId wallet;
  CurrencyCode currency;      ///< Empty: any.
  MinorUnits balance_change;  ///< Negative: a debit.
  MinorUnits held_change;
  bool require_active = true;            ///< A void gives back even on a frozen wallet.
  bool require_funds = false;            ///< available after ≥ min_balance.
  std::optional<std::uint64_t> version;  ///< Condition on the version before this change.
};

/// What is recorded under an operation id.
struct RecordedOperation {
  Fingerprint fingerprint{};
  Receipt receipt;                         ///< Meaningful without a refusal only.
  std::shared_ptr<const Refusal> refusal;  ///< A stored, final refusal.
};

}  // namespace mizan
