#pragma once

#include "mizan/result.hpp"

#include "bench/load.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace mizan::bench {

/// What the naive way did to the money.
struct NaiveLoss {
  std::uint64_t transfers = 0;      ///< All that reported success.
  std::uint64_t wrong_wallets = 0;  ///< Whose balance is not what their transfers make of it.
  std::int64_t amount = 0;          ///< By how much they are wrong, signs left out.
};

/// Read the balance, think, write the balance: each caller with a connection of its own, the
/// writes in a transaction. Loses updates; it exists to show what it loses, and gives no figure
/// for its speed.
[[nodiscard]] Result<NaiveLoss> run_naive(const std::filesystem::path& file,
                                          std::span<const WalletId> wallets,
                                          const CallerLoad& load);

}  // namespace mizan::bench
