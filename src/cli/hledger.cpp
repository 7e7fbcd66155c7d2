#include "cli/hledger.hpp"

#include "base/text.hpp"
#include "cli/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::string_view wallet_prefix = "wallet:";
constexpr std::string_view world_prefix = "world:";
constexpr std::string_view hexadecimal = "0123456789ABCDEF";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

void append_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += hexadecimal[byte / 16];
  out += hexadecimal[byte % 16];
}

/// Everything but letters, digits and `kept` as %XX: no text of ours can end a field of theirs.
std::string escape(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    if (is_alphanumeric(c) || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      append_escaped(out, c);
    }
  }
  return out;
}

/// For comments: people's words stay readable, what has a meaning in a journal does not.
std::string comment(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const bool letter = point.valid && point.value >= 0xa0;
    const bool plain =
        is_alphanumeric(text.front()) || text.front() == ' ' ||
        std::string_view("._/+@#!?'&$-").find(text.front()) != std::string_view::npos;
    if (letter || plain) {
      out += text.substr(0, point.size);
    } else {
      append_escaped(out, text.front());
    }
    text.remove_prefix(point.size);
  }
  return out;
}

/// The name of a tag. Ledger gives some a meaning, in any case of letters (two operations with the
/// same UUID are an error there), and `at` is ours.
std::string tag(const std::string& key) {
  static constexpr std::array<std::string_view, 4> taken{"at", "payee", "uuid", "value"};
  const bool is_taken = std::find(taken.begin(), taken.end(), lower(key)) != taken.end();
  return is_taken ? "metadata." + key : key;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const std::size_t high = hexadecimal.find(text[i + 1]);
    const std::size_t low = hexadecimal.find(text[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

/// Symbols with digits must be quoted there.
std::string symbol(const CurrencyCode& code) {
  const bool digits = code.view().find_first_of("0123456789") != std::string_view::npos;
  return digits ? fmt::format("\"{}\"", code.view()) : code.str();
}

std::string amount(MinorUnits units, const Currency& currency) {
  return fmt::format("{} {}", format_decimal(units, currency.exponent), symbol(currency.code));
}

std::string line(const WalletId& id,
                 MinorUnits change,
                 const std::optional<MinorUnits>& balance,
                 const Currency& currency) {
  std::string text = fmt::format("    {}  {}", hledger_name(id), amount(change, currency));
  if (balance) text += fmt::format(" = {}", amount(*balance, currency));
  return text + "\n";
}

}  // namespace

std::string hledger_name(const WalletId& id) {
  if (const auto currency = world_currency(id)) {
    return fmt::format("{}{}", world_prefix, currency->view());
  }
  return fmt::format("{}{}", wallet_prefix, escape(id.view(), "._/-"));
}

std::optional<WalletId> parse_hledger_name(std::string_view name) {
  if (name.starts_with(world_prefix)) {
    auto code = parse_currency_code(name.substr(world_prefix.size()));
    if (!code) return std::nullopt;
    return world_wallet(*code);
  }
  if (!name.starts_with(wallet_prefix)) return std::nullopt;
  const auto id = unescape(name.substr(wallet_prefix.size()));
  if (!id) return std::nullopt;
  auto wallet = parse_wallet_id(*id);
  if (!wallet) return std::nullopt;
  return *wallet;
}

std::string HledgerWriter::preamble() {
  return "; The journal of a Mizan ledger, for hledger and ledger.\n"
         "; wallet:ID is a wallet, world:CUR is where money enters and leaves; a character of an "
         "id\n; that has a meaning here is written %XX, and metadata called at, payee, uuid or "
         "value\n; is called metadata.KEY for the same reason. Dates are UTC.\n\n";
}

void HledgerWriter::declare(std::string& out, const Currency& currency) {
  if (!declared_.insert(currency.code.str()).second) return;
  // Ledger reads no format without decimals, and neither program needs one for whole numbers.
  if (currency.exponent == 0) return;
  out += fmt::format("commodity {}\n    format {}\n\n",
                     symbol(currency.code),
                     fmt::format("1000.{:0>{}} {}", "", currency.exponent, symbol(currency.code)));
}

std::string HledgerWriter::write(const JournalOperation& operation) {
  const Receipt& receipt = operation.receipt;
  std::string out;
  for (const Currency& currency : operation.currencies) declare(out, currency);
  const std::string at = to_rfc3339(receipt.applied_at);
  out += fmt::format("{} ({}) {}\n    ; at: {}\n",
                     at.substr(0, at.find('T')),
                     escape(receipt.id.view(), "._/:@-"),
                     to_string(receipt.type),
                     at);
  for (const auto& [key, value] : receipt.metadata.items()) {
    out += fmt::format("    ; {}: {}\n", tag(key), comment(value));
  }
  for (std::size_t i = 0; i < receipt.legs.size(); ++i) {
    const LegReceipt& leg = receipt.legs[i];
    const Currency& currency = operation.currencies[i];
    out += line(leg.from, MinorUnits{-leg.amount.value()}, leg.from_balance, currency);
    out += line(leg.to, leg.amount, leg.to_balance, currency);
  }
  return out + "\n";
}

}  // namespace mizan::cli
