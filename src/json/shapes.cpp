#include "json/shapes.hpp"

#include "base/assert.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "json/cursor.hpp"

#include <array>
#include <charconv>
#include <span>
#include <system_error>
#include <utility>

namespace mizan::json {

namespace {

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  MIZAN_ASSERT(error == std::errc{});
  out.append(digits.data(), end);
}

/// What stands before a value: the key with its quotes and whatever separates it.
void append_amount(std::string& out, std::string_view before, MinorUnits units) {
  out.append(before);
  out += '"';
  append_number(out, units.value());
  out += '"';
}

template <class Id>
void append_id(std::string& out, std::string_view before, const Id& id) {
  out.append(before);
  append_json_string(out, id.view());
}

/// One side of a leg; both are null for `@world` wallets.
void append_side(std::string& out,
                 std::string_view name,
                 std::optional<MinorUnits> balance,
                 std::optional<std::uint64_t> version) {
  out.append(",\"").append(name).append("_balance\":");
  if (balance) {
    append_amount(out, "", *balance);
  } else {
    out += "null";
  }
  out.append(",\"").append(name).append("_version\":");
  if (version) {
    append_number(out, static_cast<std::int64_t>(*version));
  } else {
    out += "null";
  }
}

void append_leg(std::string& out, const LegReceipt& leg) {
  append_id(out, "{\"from\":", leg.from);
  append_id(out, ",\"to\":", leg.to);
  append_amount(out, ",\"amount\":", leg.amount);
  append_id(out, ",\"currency\":", leg.currency);
  append_side(out, "from", leg.from_balance, leg.from_version);
  append_side(out, "to", leg.to_balance, leg.to_version);
  out += '}';
}

void append_receipt_members(std::string& out, const Receipt& receipt, Code outcome) {
  append_id(out, "\"id\":", receipt.id);
  out.append(",\"type\":\"").append(to_string(receipt.type));
  out.append("\",\"outcome\":\"").append(to_string(outcome));
  out.append("\",\"applied_at\":\"").append(to_rfc3339(receipt.applied_at));
  out.append("\",\"legs\":");
  char separator = '[';
  for (const LegReceipt& leg : receipt.legs) {
    out += separator;
    append_leg(out, leg);
    separator = ',';
  }
  out.append(receipt.legs.empty() ? "[]" : "]");
  out.append(",\"metadata\":").append(Value(receipt.metadata).text());
  if (receipt.hold) out.append(",\"hold\":").append(to_object(*receipt.hold).text());
  if (receipt.reverses) append_id(out, ",\"reverses\":", *receipt.reverses);
  if (receipt.reversed_by) append_id(out, ",\"reversed_by\":", *receipt.reversed_by);
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
  std::string members;
  append_receipt_members(members, receipt, outcome);
  return Object::of_members(std::move(members));
}

void append_receipt(std::string& out, const Receipt& receipt, Code outcome) {
  out += '{';
  append_receipt_members(out, receipt, outcome);
  out += '}';
}

std::string event_id(const Event& event) {
  // Of the content, not of the place: whoever sorts out repeats by it is right also where a ledger
  // was restored and went another way.
  const std::string text =
      std::string(event_type(event)).append(" ").append(event.receipt.id.view());
  const auto digest = blake2b_128(std::as_bytes(std::span(text)));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string id = "evt_";
  for (const std::byte byte : digest) {
    id.push_back(digits[std::to_integer<std::size_t>(byte >> 4)]);
    id.push_back(digits[std::to_integer<std::size_t>(byte & std::byte{15})]);
  }
  return id;
}

std::string_view event_type(const Event& /*event*/) noexcept {
  return "operation.applied";
}

Object to_object(const Event& event) {
  Object object;
  object.set("id", event_id(event))
      .set("type", event_type(event))
      .set("at", event.receipt.applied_at)
      .set("cursor", events_cursor(event.place))
      .set("data", to_object(event.receipt, Code::applied));
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
