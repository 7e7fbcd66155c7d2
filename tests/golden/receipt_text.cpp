#include "tests/golden/receipt_text.hpp"

#include <optional>

namespace mizan::golden {
namespace {

template <class Number>
std::string digits(const std::optional<Number>& number) {
  return number ? std::to_string(*number) : "null";
}

std::string digits(const std::optional<MinorUnits>& number) {
  return number ? std::to_string(number->value()) : "null";
}

std::string text_of(const Hold& hold) {
  return " hold{" + hold.id.str() + " " + hold.wallet.str() + "->" + hold.to.str() + " " +
         std::to_string(hold.amount.value()) + " " + hold.currency.str() + " captured " +
         std::to_string(hold.captured.value()) + " " + std::string(to_string(hold.status)) +
         " created " + to_rfc3339(hold.created_at) + " expires " +
         (hold.expires_at ? to_rfc3339(*hold.expires_at) : "never") + "}";
}

}  // namespace

std::string text_of(const Receipt& receipt) {
  std::string text = receipt.id.str() + " " + std::string(to_string(receipt.type)) + " at " +
                     to_rfc3339(receipt.applied_at);
  for (const LegReceipt& leg : receipt.legs) {
    text += " leg{" + leg.from.str() + "->" + leg.to.str() + " " +
            std::to_string(leg.amount.value()) + " " + leg.currency.str() + " " +
            digits(leg.from_balance) + "@" + digits(leg.from_version) + " " +
            digits(leg.to_balance) + "@" + digits(leg.to_version) + "}";
  }
  for (const auto& [key, value] : receipt.metadata.items()) text += " " + key + "=" + value;
  if (receipt.hold) text += text_of(*receipt.hold);
  if (receipt.reverses) text += " reverses " + receipt.reverses->str();
  return text;
}

}  // namespace mizan::golden
