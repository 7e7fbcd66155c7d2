#pragma once

#include "mizan/clock.hpp"
#include "mizan/ids.hpp"
#include "mizan/metadata.hpp"
#include "mizan/money.hpp"

#include <cstdint>
#include <optional>

namespace mizan {

/// Persisted; never renumber.
enum class WalletStatus : std::uint8_t { active = 0, frozen = 1, closed = 2 };

[[nodiscard]] std::string_view to_string(WalletStatus status) noexcept;
[[nodiscard]] std::optional<WalletStatus> parse_wallet_status(std::string_view text) noexcept;

/// The least that `available` may fall to by a debit: a number (default 0, negative = overdraft)
/// or nothing at all for an unlimited overdraft.
using MinBalance = std::optional<MinorUnits>;

/// What a wallet is as readers see it. `available` = balance − held.
struct Wallet {
  WalletId id;
  Currency currency;
  MinorUnits balance;
  MinorUnits held;
  MinBalance min_balance = MinorUnits{0};
  WalletStatus status = WalletStatus::active;
  std::uint64_t version = 0;  ///< The number of entries applied to it.
  Metadata metadata;
  Timestamp created_at;
};

/// The `@world/<CURRENCY>` wallet: its balance is derived, so it can never become a hot row, and
/// it may leave 64 bits.
struct WorldWallet {
  WalletId id;
  Currency currency;
  WideUnits balance = 0;  ///< Minus the sum of all other wallets of the currency.
};

struct NewWallet {
  WalletId id;
  CurrencyCode currency;
  MinBalance min_balance = MinorUnits{0};
  Metadata metadata;
};

/// What a PATCH may change; absent members stay as they are. It cannot touch balances.
struct WalletPatch {
  std::optional<WalletStatus> status;
  std::optional<MinBalance> min_balance;
  std::optional<Metadata> metadata;
};

}  // namespace mizan
