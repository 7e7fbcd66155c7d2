#pragma once

#include <cstddef>

namespace mizan::bench {

/// Neighbouring wallets, by index.
struct WalletRange {
  std::size_t first = 0;
  std::size_t count = 1;
};

/// Between which wallets transfers go: source and destination are drawn evenly from a range each,
/// and differ. Requires ranges that leave a choice.
struct Pairing {
  WalletRange from;
  WalletRange to;

  [[nodiscard]] static constexpr Pairing uniform(std::size_t wallets) noexcept {
    return {{0, wallets}, {0, wallets}};
  }

  /// Every transfer credits the first wallet.
  [[nodiscard]] static constexpr Pairing credit_one(std::size_t wallets) noexcept {
    return {{1, wallets - 1}, {0, 1}};
  }

  /// Every transfer debits one of the first `sources` wallets.
  [[nodiscard]] static constexpr Pairing debit_few(std::size_t sources,
                                                   std::size_t wallets) noexcept {
    return {{0, sources}, {0, wallets}};
  }

  /// Every transfer debits the first wallet.
  [[nodiscard]] static constexpr Pairing debit_one(std::size_t wallets) noexcept {
    return {{0, 1}, {1, wallets - 1}};
  }
};

}  // namespace mizan::bench
