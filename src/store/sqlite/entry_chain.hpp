#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sql/history.hpp"

#include <optional>

namespace mizan::sqlite {

class Connection;

/// One wallet's side of a journal row.
struct ChainedEntry {
  Sequence sequence;
  std::uint64_t version = 0;
  Timestamp at;
  OperationType type = OperationType::transfer;
  MinorUnits change;
  MinorUnits balance;
  WalletNumber counterparty;
  sql::EntryLinks links;
};

/// Walks back along one wallet's entries. Every step is one look-up by primary key. One thread at
/// a time; valid while the connection's transaction lasts.
class EntryChain {
 public:
  /// `head`: the wallet's newest entry, 0 where it has none.
  EntryChain(Connection& connection, WalletNumber wallet, Sequence head)
      : connection_(connection), wallet_(wallet), head_(head) {}

  /// The newest entry whose version is `version` or less; nothing where there is none. Takes
  /// O(log² n) steps from the newest entry: at most 90 among 4,000 entries, 225 among a million.
  [[nodiscard]] Result<std::optional<ChainedEntry>> find_version(std::uint64_t version);

  /// The newest entry at or before `time`.
  [[nodiscard]] Result<std::optional<ChainedEntry>> find_time(Timestamp time);

  [[nodiscard]] Result<std::optional<ChainedEntry>> previous(const ChainedEntry& entry);

 private:
  /// Nothing for sequence 0.
  [[nodiscard]] Result<std::optional<ChainedEntry>> read(Sequence sequence);

  Connection& connection_;
  WalletNumber wallet_;
  Sequence head_;
};

}  // namespace mizan::sqlite
