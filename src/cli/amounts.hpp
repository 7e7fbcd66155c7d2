#pragma once

#include "mizan/ids.hpp"
#include "mizan/money.hpp"
#include "mizan/outcome.hpp"
#include "mizan/result.hpp"

#include "cli/backend.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::cli {

/// Currencies and wallets as a reader has them, for reading and printing amounts. Lives no longer
/// than the reader. One thread at a time.
class Amounts {
 public:
  explicit Amounts(Reader& reader) noexcept : reader_(reader) {}

  /// ISO, then the registered ones.
  [[nodiscard]] Result<std::optional<Currency>> find_currency(const CurrencyCode& code);

  /// As `find_currency`, with `invalid_request` that says what to do where there is none.
  [[nodiscard]] Result<Currency> load_currency(std::string_view code);

  /// The currency of a wallet; also of `@world/<CURRENCY>`.
  [[nodiscard]] Result<std::optional<Currency>> find_wallet_currency(const WalletId& wallet);

  /// `12.34 EUR`. A currency that is unknown here is shown in minor units, and says so.
  [[nodiscard]] std::string show(MinorUnits units, const CurrencyCode& code);

 private:
  Reader& reader_;
  std::map<std::string, Currency> of_wallets_;  // A wallet never changes its currency.
};

/// What was typed for an amount: `12.34`, `12.34 EUR`, `12.34EUR`, or with the currency as a word
/// of its own.
struct AmountText {
  std::string number;
  std::string currency;  ///< Empty: not stated.
};

[[nodiscard]] Result<AmountText> split_amount(std::string_view text,
                                              std::optional<std::string> second_word);

struct StatedAmount {
  MinorUnits units;
  CurrencyCode currency;  ///< Empty: not stated.
};

/// Reads an amount by the currency that was stated with it, else by the wallet's. Where that
/// wallet is missing nothing tells the currency: then a stand-in of 1 minor unit is answered and
/// `unreadable` is set to the refusal. A stand-in is decided about and never applied.
[[nodiscard]] Result<StatedAmount> read_amount(Amounts& amounts,
                                               const AmountText& text,
                                               const WalletId& wallet,
                                               std::shared_ptr<const Refusal>& unreadable);

}  // namespace mizan::cli
