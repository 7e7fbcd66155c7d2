#include "json/shapes.hpp"

#include "base/assert.hpp"

namespace mizan::json {

namespace {

Object leg_object(const LegReceipt& leg) {
  Object object;
  object.set("from", leg.from)
      .set("to", leg.to)
      .set("amount", leg.amount)
      .set("currency", leg.currency)
      .set("from_balance", leg.from_balance)
      .set("from_version", leg.from_version)
      .set("to_balance", leg.to_balance)
      .set("to_version", leg.to_version);
  return object;
}

MinorUnits available_of(const Wallet& wallet) noexcept {
  const std::optional<MinorUnits> available = subtract(wallet.balance, wallet.held);
  MIZAN_ASSERT(available.has_value());
  return *available;
}

}  // namespace

Object to_object(const Wallet& wallet) {
  Object object;
  object.set("id", wallet.id)
      .set("currency", wallet.currency.code)
      .set("exponent", wallet.currency.exponent)
      .set("balance", wallet.balance)
      .set("held", wallet.held)
      .set("available", available_of(wallet))
      .set("min_balance", wallet.min_balance)
      .set("status", to_string(wallet.status))
      .set("version", wallet.version)
      .set("metadata", wallet.metadata)
      .set("created_at", wallet.created_at);
  return object;
}

Object to_object(const WorldWallet& wallet) {
  Object object;
  object.set("id", wallet.id)
      .set("currency", wallet.currency.code)
      .set("exponent", wallet.currency.exponent)
      .set("balance", wallet.balance)
      .set("held", MinorUnits{0})
      .set("available", wallet.balance)
      .set("min_balance", nullptr)
      .set("status", to_string(WalletStatus::active))
      .set("version", nullptr)
      .set("metadata", Metadata{})
      .set("created_at", nullptr);
  return object;
}

Object to_object(const Receipt& receipt, Code outcome) {
  Array legs;
  for (const LegReceipt& leg : receipt.legs) legs.add(leg_object(leg));
  Object object;
  object.set("id", receipt.id)
      .set("type", to_string(receipt.type))
      .set("outcome", to_string(outcome))
      .set("applied_at", receipt.applied_at)
      .set("legs", legs)
      .set("metadata", receipt.metadata);
  if (receipt.hold) object.set("hold", to_object(*receipt.hold));
  if (receipt.reverses) object.set("reverses", *receipt.reverses);
  if (receipt.reversed_by) object.set("reversed_by", *receipt.reversed_by);
  return object;
}

Object to_object(const Entry& entry) {
  Object object;
  object.set("wallet", entry.wallet)
      .set("version", entry.version)
      .set("operation", entry.operation)
      .set("type", to_string(entry.type))
      .set("change", entry.change)
      .set("balance", entry.balance)
      .set("counterparty", entry.counterparty)
      .set("at", entry.at)
      .set("metadata", entry.metadata);
  return object;
}

Object to_object(const Hold& hold) {
  Object object;
  object.set("id", hold.id)
      .set("wallet", hold.wallet)
      .set("to", hold.to)
      .set("amount", hold.amount)
      .set("captured", hold.captured)
      .set("remaining", remaining(hold))
      .set("status", to_string(hold.status))
      .set("expires_at", hold.expires_at)
      .set("created_at", hold.created_at);
  return object;
}

Object to_object(const Currency& currency) {
  Object object;
  object.set("code", currency.code).set("exponent", currency.exponent);
  return object;
}

Object to_object(const Finding& finding) {
  Object object;
  object.set("level", to_string(finding.level))
      .set("name", finding.name)
      .set("detail", finding.detail);
  return object;
}

Object to_object(const Violation& violation) {
  Object object;
  object.set("invariant", violation.invariant);
  object.set("wallet", violation.wallet.empty() ? Value(nullptr) : Value(violation.wallet));
  object.set("sequence", violation.sequence ? Value(violation.sequence->value()) : Value(nullptr));
  object.set("detail", violation.detail);
  return object;
}

Object to_object(const VerifyReport& report) {
  Array violations;
  for (const Violation& violation : report.violations) violations.add(to_object(violation));
  Object object;
  object.set("wallets", report.wallets)
      .set("operations", report.operations)
      .set("entries", report.entries)
      .set("holds", report.holds)
      .set("violations", violations);
  return object;
}

Object to_object(const BalanceAt& balance) {
  Object object;
  object.set("balance", balance.balance).set("version", balance.version).set("at", balance.at);
  return object;
}

Object lease_object(const Fence& fence, std::chrono::milliseconds expires_in) {
  Object object;
  object.set("resource", fence.resource)
      .set("token", fence.token.value())
      .set("owner", fence.owner)
      .set("expires_in_ms", expires_in.count());
  return object;
}

Object list_object(const Array& items, const std::optional<std::string>& next_cursor) {
  Object object;
  object.set("items", items).set("next_cursor", next_cursor);
  return object;
}

std::string_view to_string(Finding::Level level) noexcept {
  switch (level) {
    case Finding::Level::ok:
      return "ok";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::problem:
      return "problem";
  }
  return "";
}

}  // namespace mizan::json
