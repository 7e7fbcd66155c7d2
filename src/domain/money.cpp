#include "mizan/money.hpp"

#include "base/assert.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace mizan {

namespace {

constexpr std::size_t quoted_size_max = 80;
constexpr std::string_view world_prefix = "@world/";

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_upper(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}

bool is_all_digits(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), is_digit);
}

bool is_currency_code(std::string_view text) noexcept {
  const bool has_size = text.size() >= 3 && text.size() <= CurrencyCode::max_size;
  return has_size && is_upper(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_upper(c) || is_digit(c); });
}

Error bad_amount(std::string_view text, std::string_view rule) {
  return invalid_request(
      "amount", std::string(rule) + "; this is \"" + escape_for_log(text, quoted_size_max) + "\"");
}

/// A number taken apart; the views point into the text.
struct DecimalParts {
  bool negative = false;
  bool has_point = false;
  std::string_view whole;
  std::string_view decimals;
};

DecimalParts split(std::string_view text) noexcept {
  DecimalParts parts;
  parts.negative = text.starts_with('-');
  if (parts.negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  parts.has_point = point != std::string_view::npos;
  parts.whole = text.substr(0, point);
  if (parts.has_point) parts.decimals = text.substr(point + 1);
  return parts;
}

/// The rule that the form breaks, or an empty text. The number's size is not looked at.
std::string_view broken_rule(std::string_view text, const DecimalParts& parts) noexcept {
  if (text.empty()) return "an amount must not be empty";
  if (text.starts_with('+')) return "an amount has no plus sign";
  if (!is_all_digits(parts.whole) || !is_all_digits(parts.decimals)) {
    return "an amount consists of digits, at most one point and a leading minus, in plain notation";
  }
  if (parts.whole.empty()) return "an amount needs a digit before the point";
  if (parts.has_point && parts.decimals.empty()) return "an amount needs a digit after the point";
  if (parts.whole.size() > 1 && parts.whole.front() == '0') return "an amount has no leading zeros";
  return {};
}

/// Feeds digits until the number leaves 64 bits, so that a long text cannot leave 128.
class Accumulator {
 public:
  explicit Accumulator(bool negative) noexcept : negative_(negative) {}

  void digits(std::string_view text) noexcept {
    for (const char c : text) digit(c - '0');
  }

  void zeros(std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) digit(0);
  }

  /// Nothing where the number is beyond 64 bits.
  [[nodiscard]] std::optional<MinorUnits> result() const noexcept {
    if (overflow_) return std::nullopt;
    return MinorUnits{value_};
  }

 private:
  void digit(int value) noexcept {
    const std::int64_t signed_digit = negative_ ? -value : value;
    overflow_ = overflow_ || __builtin_mul_overflow(value_, std::int64_t{10}, &value_) ||
                __builtin_add_overflow(value_, signed_digit, &value_);
  }

  bool negative_;
  bool overflow_ = false;
  std::int64_t value_ = 0;
};

/// The decimal digits of the magnitude, at least `size_min` of them.
std::string digits_of(WideUnits units, std::size_t size_min) {
  std::array<char, 40> digits{};
  auto first = digits.end();
  while (units != 0) {
    // The remainder is taken with its sign: the most negative number has no positive twin.
    const int digit = static_cast<int>(units % 10);
    *--first = static_cast<char>('0' + (digit < 0 ? -digit : digit));
    units /= 10;
  }
  while (digits.end() - first < static_cast<std::ptrdiff_t>(size_min)) *--first = '0';
  return {first, digits.end()};
}

}  // namespace

std::string to_string(WideUnits units) {
  const std::string digits = digits_of(units, 1);
  return units < 0 ? "-" + digits : digits;
}

Result<CurrencyCode> parse_currency_code(std::string_view text) {
  if (!is_currency_code(text)) {
    return invalid_request("currency",
                           "a currency code has 3 to 10 characters, A-Z and 0-9, beginning with "
                           "a letter; this is \"" +
                               escape_for_log(text, quoted_size_max) + "\"");
  }
  return CurrencyCode{text};
}

Result<MinorUnits> parse_decimal(std::string_view text, std::uint8_t exponent) {
  MIZAN_ASSERT(exponent <= exponent_max);
  const DecimalParts parts = split(text);
  const std::string_view rule = broken_rule(text, parts);
  if (!rule.empty()) return bad_amount(text, rule);
  if (parts.decimals.size() > exponent) {
    return bad_amount(text,
                      exponent == 0 ? "an amount of this currency has no decimals"
                                    : "an amount of this currency has at most " +
                                          std::to_string(exponent) + " decimals");
  }
  Accumulator number(parts.negative);
  number.digits(parts.whole);
  number.digits(parts.decimals);
  number.zeros(exponent - parts.decimals.size());
  const std::optional<MinorUnits> units = number.result();
  if (!units) return bad_amount(text, "an amount must fit into 64 bits of minor units");
  return *units;
}

Result<MinorUnits> parse_minor_units(std::string_view text) {
  const DecimalParts parts = split(text);
  if (parts.has_point) {
    return bad_amount(text, "an amount of minor units is a whole number, without a point");
  }
  const std::string_view rule = broken_rule(text, parts);
  if (!rule.empty()) return bad_amount(text, rule);
  Accumulator number(parts.negative);
  number.digits(parts.whole);
  const std::optional<MinorUnits> units = number.result();
  if (!units) return bad_amount(text, "an amount must fit into 64 bits of minor units");
  return *units;
}

std::string format_decimal(MinorUnits units, std::uint8_t exponent) {
  return format_decimal(WideUnits{units.value()}, exponent);
}

std::string format_decimal(WideUnits units, std::uint8_t exponent) {
  MIZAN_ASSERT(exponent <= exponent_max);
  std::string text = digits_of(units, std::size_t{exponent} + 1);
  if (exponent > 0) text.insert(text.size() - exponent, 1, '.');
  return units < 0 ? "-" + text : text;
}

WalletId world_wallet(const CurrencyCode& currency) noexcept {
  std::array<char, world_prefix.size() + CurrencyCode::max_size> text{};
  const auto end = std::copy(world_prefix.begin(), world_prefix.end(), text.begin());
  const std::string_view code = currency.view();
  std::copy(code.begin(), code.end(), end);
  return WalletId{std::string_view(text.data(), world_prefix.size() + code.size())};
}

std::optional<CurrencyCode> world_currency(const WalletId& id) noexcept {
  const std::string_view text = id.view();
  if (!text.starts_with(world_prefix)) return std::nullopt;
  const std::string_view code = text.substr(world_prefix.size());
  if (!is_currency_code(code)) return std::nullopt;
  return CurrencyCode{code};
}

}  // namespace mizan
