#pragma once

#include "mizan/ids.hpp"
#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"
#include "mizan/wallet.hpp"

#include "prover/history.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mizan::prover {

struct WalletImage {
  WalletNumber number;
  WalletId id;
  CurrencyCode currency;
  MinorUnits balance;
  MinorUnits held;
  MinBalance min_balance = MinorUnits{0};
  std::uint64_t version = 0;
};

/// One leg of the journal; `world_number` on either side stands for `@world`.
struct LegImage {
  Sequence sequence;
  OperationId operation;
  OperationType type = OperationType::transfer;
  WalletNumber from;
  WalletNumber to;
  MinorUnits amount;
  MinorUnits from_balance;
  std::uint64_t from_version = 0;
  MinorUnits to_balance;
  std::uint64_t to_version = 0;
};

/// Everything that one snapshot of a ledger says, ours or a naive one's. The checkers judge it and
/// never ask the ledger itself whether it is right.
struct LedgerImage {
  Timestamp taken_at;
  std::vector<WalletImage> wallets;  ///< In order of number.
  std::vector<LegImage> journal;     ///< In commit order.
  std::vector<HoldRecord> holds;
  std::map<CurrencyCode, WideUnits> worlds;   ///< What the ledger says of `@world`.
  std::map<OperationId, Receipt> operations;  ///< Those of the history that were recorded.
  bool has_operation_records = true;          ///< False for programs that keep none.
};

/// What a reader saw while others were writing: the sum over a closed group of wallets and, for
/// each, its balance beside the balance that its own newest entry states.
struct Reading {
  struct Line {
    WalletId wallet;
    MinorUnits balance;
    MinorUnits entry_balance;
  };

  std::vector<Line> lines;
  WideUnits sum = 0;
  std::optional<WideUnits> expected_sum;
};

/// Reads the whole store in one snapshot, and the records of the operations the calls name.
[[nodiscard]] Result<LedgerImage> read_image(Store& store,
                                             std::span<const Call> calls,
                                             Timestamp now);

/// Reads a closed group of wallets in one snapshot.
[[nodiscard]] Result<Reading> read_group(Store& store,
                                         std::span<const WalletId> wallets,
                                         std::optional<WideUnits> expected_sum);

}  // namespace mizan::prover
