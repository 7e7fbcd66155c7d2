#pragma once

#include "store/memory/tables.hpp"

#include <optional>
#include <string>

namespace mizan::memory {

// The second net. The rules never plan such rows; what a database says with CHECK is said here.
// Each answers what is wrong, or nothing.

[[nodiscard]] std::optional<std::string> broken_wallet(const WalletState& state);
[[nodiscard]] std::optional<std::string> broken_hold(const HoldRecord& hold);

/// One side of a leg: the entry must continue the wallet's history.
struct NewEntry {
  WalletNumber wallet;
  std::uint64_t version = 0;
  MinorUnits change;
  MinorUnits balance;
  Timestamp at;
};

[[nodiscard]] std::optional<std::string> broken_entry(const Tables& tables, const NewEntry& entry);

/// A wallet's row and its last entry must agree when a transaction commits.
[[nodiscard]] std::optional<std::string> broken_history(const Tables& tables,
                                                        const WalletState& state);

}  // namespace mizan::memory
