#pragma once

#include "mizan/ids.hpp"
#include "mizan/result.hpp"
#include "mizan/text.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mizan {

/// A signed number of minor units (cents for EUR). There is no floating point in Mizan.
using MinorUnits = StrongNumber<struct MinorUnitsTag, std::int64_t>;

/// The sum or difference, or nothing where it leaves the range of 64 bits. Never wraps.
[[nodiscard]] constexpr std::optional<MinorUnits> add(MinorUnits a, MinorUnits b) noexcept {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.value(), b.value(), &sum)) return std::nullopt;
  return MinorUnits{sum};
}

[[nodiscard]] constexpr std::optional<MinorUnits> subtract(MinorUnits a, MinorUnits b) noexcept {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a.value(), b.value(), &difference)) return std::nullopt;
  return MinorUnits{difference};
}

/// A sum over many wallets: 128 bits cannot overflow below 2^63 wallets.
__extension__ typedef __int128 WideUnits;  // NOLINT(modernize-use-using): __extension__ needs it.

/// Decimal digits of a wide sum, with a leading minus where negative.
[[nodiscard]] std::string to_string(WideUnits units);

/// A currency code: `[A-Z][A-Z0-9]{2,9}`.
using CurrencyCode = ShortText<struct CurrencyCodeTag, 10>;

/// A currency: its code and the number of decimal digits of its minor unit, 0–18.
struct Currency {
  CurrencyCode code;
  std::uint8_t exponent = 0;

  friend bool operator==(const Currency&, const Currency&) = default;
};

inline constexpr std::uint8_t exponent_max = 18;

[[nodiscard]] Result<CurrencyCode> parse_currency_code(std::string_view text);

/// The built-in ISO 4217 table (List One), sorted by code.
[[nodiscard]] std::span<const Currency> iso_currencies() noexcept;

/// The built-in currency with this code, if there is one.
[[nodiscard]] std::optional<Currency> find_iso_currency(const CurrencyCode& code) noexcept;

/// Reads what a person writes: `-?digits[.digits]` with at most `exponent` decimals, exactly.
/// `1e3`, `+5`, `.5`, `5.`, `0x10`, `NaN`, an empty text, leading zeros such as `007` and numbers
/// beyond 64 bits are `invalid_request`, with the reason. The sign is allowed because overdraft
/// limits are negative; the money rules refuse amounts that are not positive.
[[nodiscard]] Result<MinorUnits> parse_decimal(std::string_view text, std::uint8_t exponent);

/// Reads a plain integer of minor units as JSON carries it: `-?(0|[1-9][0-9]*)`, within 64 bits.
[[nodiscard]] Result<MinorUnits> parse_minor_units(std::string_view text);

/// `1234` with exponent 2 is `12.34`; always all decimals of the currency, never grouping.
[[nodiscard]] std::string format_decimal(MinorUnits units, std::uint8_t exponent);
[[nodiscard]] std::string format_decimal(WideUnits units, std::uint8_t exponent);

/// `@world/<CURRENCY>`: where money enters and leaves the ledger.
[[nodiscard]] WalletId world_wallet(const CurrencyCode& currency) noexcept;

/// The currency of a `@world/<CURRENCY>` id, or nothing for any other id.
[[nodiscard]] std::optional<CurrencyCode> world_currency(const WalletId& id) noexcept;

}  // namespace mizan
