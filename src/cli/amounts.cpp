#include "cli/amounts.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace mizan::cli {
namespace {

/// In the place of an amount that cannot be read.
constexpr MinorUnits stand_in{1};

}  // namespace

Result<std::optional<Currency>> Amounts::find_currency(const CurrencyCode& code) {
  return reader_.find_currency(code);
}

Result<Currency> Amounts::load_currency(std::string_view text) {
  auto code = parse_currency_code(text);
  if (!code) return std::move(code).error();
  auto found = find_currency(*code);
  if (!found) return std::move(found).error();
  if (*found) return **found;
  return invalid_request("currency",
                         fmt::format("there is no currency {}; register it with "
                                     "`mizan currency add {} EXPONENT`",
                                     code->view(),
                                     code->view()));
}

Result<std::optional<Currency>> Amounts::find_wallet_currency(const WalletId& wallet) {
  if (const auto code = world_currency(wallet)) return find_currency(*code);
  const auto known = of_wallets_.find(wallet.str());
  if (known != of_wallets_.end()) return std::optional<Currency>{known->second};
  auto found = reader_.find_wallet(wallet);
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<Currency>{};
  of_wallets_.emplace(wallet.str(), (*found)->currency);
  return std::optional<Currency>{(*found)->currency};
}

std::string Amounts::show(MinorUnits units, const CurrencyCode& code) {
  const auto currency = find_currency(code);
  if (!currency || !*currency) return fmt::format("{} minor units {}", units.value(), code.view());
  return fmt::format("{} {}", format_decimal(units, (*currency)->exponent), code.view());
}

Result<AmountText> split_amount(std::string_view text, std::optional<std::string> second_word) {
  AmountText amount;
  std::size_t letters = text.size();
  // A currency begins with a capital letter; `1e3` and `0x10` hold none and stay in one piece, so
  // that they are refused as numbers.
  if (const std::size_t first = text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
      first != std::string_view::npos && first > 0) {
    const char before = text[first - 1];
    if (before == ' ' || (before >= '0' && before <= '9')) letters = first;
  }
  std::size_t digits = letters;
  if (letters < text.size() && digits > 0 && text[digits - 1] == ' ') --digits;
  amount.number = std::string(text.substr(0, digits));
  amount.currency = std::string(text.substr(letters));
  if (!second_word) return amount;
  if (!amount.currency.empty()) {
    return invalid_request("amount",
                           fmt::format("the currency is stated twice: '{}' and '{}'",
                                       escape_for_log(text),
                                       escape_for_log(*second_word)));
  }
  amount.currency = std::move(*second_word);
  return amount;
}

Result<StatedAmount> read_amount(Amounts& amounts,
                                 const AmountText& text,
                                 const WalletId& wallet,
                                 std::shared_ptr<const Refusal>& unreadable) {
  std::optional<Currency> currency;
  StatedAmount amount;
  if (!text.currency.empty()) {
    auto stated = amounts.load_currency(text.currency);
    if (!stated) return std::move(stated).error();
    amount.currency = stated->code;
    currency = *stated;
  } else {
    auto found = amounts.find_wallet_currency(wallet);
    if (!found) return std::move(found).error();
    currency = *found;
  }
  if (!currency) {
    Refusal refusal;
    refusal.code = Code::wallet_not_found;
    refusal.wallet = wallet;
    refusal.detail = fmt::format("there is no wallet {}", wallet.view());
    unreadable = std::make_shared<const Refusal>(std::move(refusal));
    amount.units = stand_in;
    return amount;
  }
  auto units = parse_decimal(text.number, currency->exponent);
  if (!units) return std::move(units).error();
  amount.units = *units;
  return amount;
}

}  // namespace mizan::cli
