#include "json/answers.hpp"

#include "base/text.hpp"
#include "json/cursor.hpp"
#include "json/fields.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace mizan::json {
namespace {

using Problems = std::vector<FieldProblem>;
constexpr std::uint64_t counter_max = std::numeric_limits<std::uint64_t>::max();

/// What `read` makes of the node, or all that is wrong with it.
template <class T>
Parsed<T> parse_with(const Node& node, T (*read)(Fields&)) {
  Problems problems;
  Fields fields(node, "", problems);
  T value = read(fields);
  if (!problems.empty()) return InvalidRequest{std::move(problems)};
  return value;
}

template <class T>
T text_of(Fields& fields, std::string_view key, Result<T> (*parse)(std::string_view)) {
  return fields.text(key, Presence::required, parse).value_or(T{});
}

Result<Timestamp> parse_time(std::string_view text) {
  if (const auto time = parse_rfc3339(text)) return *time;
  return invalid_request("time", "this is no time of RFC 3339");
}

Result<WalletStatus> parse_status(std::string_view text) {
  if (const auto status = parse_wallet_status(text)) return *status;
  return invalid_request("status", "there is no such status of a wallet");
}

Result<OperationType> parse_type(std::string_view text) {
  if (const auto type = parse_operation_type(text)) return *type;
  return invalid_request("type", "there is no such type of operation");
}

Result<HoldStatus> parse_hold_status(std::string_view text) {
  for (const HoldStatus status :
       {HoldStatus::open, HoldStatus::captured, HoldStatus::voided, HoldStatus::expired}) {
    if (text == to_string(status)) return status;
  }
  return invalid_request("status", "there is no such status of a hold");
}

Result<std::string> parse_any(std::string_view text) {
  return std::string(text);
}

/// Digits with an optional sign, within 128 bits.
Result<WideUnits> parse_wide(std::string_view text) {
  constexpr std::size_t digits_max = 38;
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  const bool is_number = !digits.empty() && digits.size() <= digits_max &&
                         digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number) return invalid_request("amount", "this is no whole number of minor units");
  WideUnits units = 0;
  for (const char digit : digits) units = units * 10 + (digit - '0');
  return negative ? -units : units;
}

bool is_null(const Node* node) {
  return node == nullptr || node->kind() == Node::Kind::null;
}

/// A time that may be null.
std::optional<Timestamp> nullable_time(Fields& fields, std::string_view key) {
  if (is_null(fields.find(key, Presence::required))) return std::nullopt;
  return fields.text(key, Presence::required, parse_time);
}

std::optional<std::uint64_t> nullable_counter(Fields& fields, std::string_view key) {
  if (is_null(fields.find(key, Presence::required))) return std::nullopt;
  return fields.counter(key, Presence::required, 0, counter_max);
}

MinorUnits amount_of(Fields& fields, std::string_view key) {
  return fields.amount(key, Presence::required).value_or(MinorUnits{});
}

std::uint64_t counter_of(Fields& fields, std::string_view key) {
  return fields.counter(key, Presence::required, 0, counter_max).value_or(0);
}

Metadata metadata_of(Fields& fields) {
  static_cast<void>(fields.find("metadata", Presence::required));
  return fields.metadata("metadata").value_or(Metadata{});
}

std::uint8_t exponent_of(Fields& fields) {
  return static_cast<std::uint8_t>(
      fields.counter("exponent", Presence::required, 0, exponent_max).value_or(0));
}

Wallet take_wallet(Fields& fields) {
  Wallet wallet;
  wallet.id = text_of(fields, "id", parse_wallet_id);
  wallet.currency.code = text_of(fields, "currency", parse_currency_code);
  wallet.currency.exponent = exponent_of(fields);
  wallet.balance = amount_of(fields, "balance");
  wallet.held = amount_of(fields, "held");
  static_cast<void>(fields.find("min_balance", Presence::required));
  wallet.min_balance = fields.nullable_amount("min_balance").value_or(MinorUnits{0});
  wallet.status = text_of(fields, "status", parse_status);
  wallet.version = counter_of(fields, "version");
  wallet.metadata = metadata_of(fields);
  wallet.created_at = text_of(fields, "created_at", parse_time);
  if (!subtract(wallet.balance, wallet.held)) {
    fields.report("held", field_code::out_of_range, "no wallet holds so much");
  }
  return wallet;
}

WorldWallet take_world_wallet(Fields& fields) {
  WorldWallet wallet;
  wallet.id = text_of(fields, "id", parse_wallet_id);
  wallet.currency.code = text_of(fields, "currency", parse_currency_code);
  wallet.currency.exponent = exponent_of(fields);
  wallet.balance = fields.text("balance", Presence::required, parse_wide).value_or(0);
  return wallet;
}

Entry take_entry(Fields& fields) {
  Entry entry;
  entry.wallet = text_of(fields, "wallet", parse_wallet_id);
  entry.version = counter_of(fields, "version");
  entry.operation = text_of(fields, "operation", parse_operation_id);
  entry.type = text_of(fields, "type", parse_type);
  entry.change = amount_of(fields, "change");
  entry.balance = amount_of(fields, "balance");
  entry.counterparty = text_of(fields, "counterparty", parse_wallet_id);
  entry.at = text_of(fields, "at", parse_time);
  entry.metadata = metadata_of(fields);
  return entry;
}

BalanceAt take_balance_at(Fields& fields) {
  BalanceAt balance;
  balance.balance = amount_of(fields, "balance");
  balance.version = counter_of(fields, "version");
  balance.at = nullable_time(fields, "at");
  return balance;
}

Currency take_currency(Fields& fields) {
  Currency currency;
  currency.code = text_of(fields, "code", parse_currency_code);
  currency.exponent = exponent_of(fields);
  return currency;
}

Hold take_hold(Fields& fields) {
  Hold hold;
  hold.id = text_of(fields, "id", parse_operation_id);
  hold.wallet = text_of(fields, "wallet", parse_wallet_id);
  hold.to = text_of(fields, "to", parse_wallet_id);
  hold.currency = world_currency(hold.to).value_or(CurrencyCode{});
  hold.amount = amount_of(fields, "amount");
  hold.captured = amount_of(fields, "captured");
  hold.status = text_of(fields, "status", parse_hold_status);
  hold.expires_at = nullable_time(fields, "expires_at");
  hold.created_at = text_of(fields, "created_at", parse_time);
  if (!subtract(hold.amount, hold.captured)) {
    fields.report("captured", field_code::out_of_range, "no hold has captured so much");
  }
  return hold;
}

LegReceipt take_leg(Fields& fields) {
  LegReceipt leg;
  leg.from = text_of(fields, "from", parse_wallet_id);
  leg.to = text_of(fields, "to", parse_wallet_id);
  leg.amount = amount_of(fields, "amount");
  leg.currency = text_of(fields, "currency", parse_currency_code);
  leg.from_version = nullable_counter(fields, "from_version");
  leg.to_version = nullable_counter(fields, "to_version");
  leg.from_balance = fields.nullable_amount("from_balance").value_or(std::nullopt);
  leg.to_balance = fields.nullable_amount("to_balance").value_or(std::nullopt);
  return leg;
}

std::vector<LegReceipt> take_legs(Fields& fields) {
  std::vector<LegReceipt> legs;
  const std::vector<Node>* items = fields.array("legs", Presence::required, 0, legs_max);
  if (items == nullptr) return legs;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Fields leg((*items)[i], pointer_to(fields.pointer("legs"), i), fields.problems());
    legs.push_back(take_leg(leg));
  }
  return legs;
}

std::shared_ptr<const OperationId> take_other(Fields& fields, std::string_view key) {
  const auto id = fields.text(key, Presence::optional, parse_operation_id);
  return id ? std::make_shared<const OperationId>(*id) : nullptr;
}

ReceiptAnswer take_receipt(Fields& fields) {
  ReceiptAnswer answer;
  Receipt& receipt = answer.receipt;
  receipt.id = text_of(fields, "id", parse_operation_id);
  receipt.type = text_of(fields, "type", parse_type);
  receipt.applied_at = text_of(fields, "applied_at", parse_time);
  receipt.legs = take_legs(fields);
  receipt.metadata = metadata_of(fields);
  if (const Node* node = fields.find("hold", Presence::optional)) {
    Fields hold(*node, fields.pointer("hold"), fields.problems());
    receipt.hold = std::make_shared<const Hold>(take_hold(hold));
  }
  receipt.reverses = take_other(fields, "reverses");
  receipt.reversed_by = take_other(fields, "reversed_by");
  const std::string outcome = text_of(fields, "outcome", parse_any);
  answer.replayed = outcome == to_string(Code::already_applied);
  if (!answer.replayed && outcome != to_string(Code::applied)) {
    fields.report("outcome", field_code::invalid_value, "this is no outcome of a receipt");
  }
  return answer;
}

Event take_event(Fields& fields) {
  Event event;
  event.place = text_of(fields, "cursor", parse_events_cursor);
  const Node* data = fields.find("data", Presence::required);
  if (data == nullptr) return event;
  auto answer = parse_with(*data, take_receipt);
  if (!answer) {
    for (FieldProblem problem : answer.error().problems) {
      problem.pointer.insert(0, fields.pointer("data"));
      fields.problems().push_back(std::move(problem));
    }
    return event;
  }
  event.receipt = std::move(answer->receipt);
  return event;
}

/// How long a lease goes on.
std::optional<std::chrono::milliseconds> expiry_of(Fields& fields, Presence presence) {
  constexpr std::uint64_t day_ms = 86'400'000;
  const auto left = fields.counter("expires_in_ms", presence, 0, day_ms);
  if (!left) return std::nullopt;
  return std::chrono::milliseconds{static_cast<std::int64_t>(*left)};
}

LeaseAnswer take_lease(Fields& fields) {
  LeaseAnswer answer;
  answer.lease.token = fields.token("token").value_or(FenceToken{});
  answer.owner = text_of(fields, "owner", parse_lock_owner);
  answer.lease.remaining =
      expiry_of(fields, Presence::required).value_or(std::chrono::milliseconds{});
  return answer;
}

ListAnswer take_list(Fields& fields) {
  constexpr std::size_t items_max = 100'000;
  ListAnswer answer;
  answer.items = fields.array("items", Presence::required, 0, items_max);
  if (!is_null(fields.find("next_cursor", Presence::required))) {
    answer.next_cursor = fields.text("next_cursor", Presence::required, parse_any);
  }
  return answer;
}

/// Digits as they stand, of a counter or of an amount.
std::string digits_of(Fields& fields, std::string_view key) {
  const Node* node = fields.find(key, Presence::required);
  return node == nullptr ? std::string() : node->text();
}

std::vector<ConditionFailure> take_failures(Fields& fields) {
  std::vector<ConditionFailure> failures;
  constexpr std::size_t parts = 4;  // Of one condition.
  const std::vector<Node>* items =
      fields.array("failures", Presence::optional, 0, conditions_max * parts);
  if (items == nullptr) return failures;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Fields item((*items)[i], pointer_to(fields.pointer("failures"), i), fields.problems());
    failures.push_back({.wallet = text_of(item, "wallet", parse_wallet_id),
                        .field = text_of(item, "field", parse_any),
                        .expected = digits_of(item, "expected"),
                        .actual = digits_of(item, "actual")});
  }
  return failures;
}

/// Which condition a field is of: `…/conditions/3/version`.
std::size_t condition_of(const Node& error) {
  constexpr std::string_view conditions = "/conditions/";
  const Node* node = error.find("pointer");
  const std::string_view pointer = node == nullptr ? std::string_view() : node->text();
  const std::size_t place = pointer.rfind(conditions);
  if (place == std::string_view::npos) return 0;
  const std::string_view rest = pointer.substr(place + conditions.size());
  return static_cast<std::size_t>(parse_unsigned(rest.substr(0, rest.find('/'))).value_or(0));
}

/// The errors of a problem about conditions are the failures, one by one.
void place_failures(Fields& fields, std::vector<ConditionFailure>& failures) {
  const Node* errors = fields.find("errors", Presence::optional);
  if (errors == nullptr || errors->items().size() != failures.size()) return;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    failures[i].condition = condition_of(errors->items()[i]);
  }
}

/// Into the refusal: where the first of `errors` is, and what it says where it is the only one.
void take_errors(Fields& fields, Refusal& refusal) {
  const Node* errors = fields.find("errors", Presence::optional);
  if (errors == nullptr || errors->items().empty()) return;
  const Node& first = errors->items().front();
  if (const Node* pointer = first.find("pointer")) refusal.pointer = pointer->text();
  const Node* detail = first.find("detail");
  if (detail != nullptr && errors->items().size() == 1) refusal.detail = detail->text();
}

ProblemAnswer take_problem(Fields& fields) {
  ProblemAnswer answer;
  answer.code_text = text_of(fields, "code", parse_any);
  answer.code = parse_code(answer.code_text);
  answer.may_be_applied = text_of(fields, "applied", parse_any) != "no";
  answer.operation = fields.text("operation", Presence::optional, parse_operation_id);
  answer.expires_in = expiry_of(fields, Presence::optional);
  Refusal& refusal = answer.refusal;
  refusal.code = answer.code.value_or(Code::internal);
  refusal.detail = fields.text("detail", Presence::optional, parse_any).value_or("");
  take_errors(fields, refusal);
  refusal.failures = take_failures(fields);
  place_failures(fields, refusal.failures);
  // A condition's wallet stands at the top as well, where the problem is about one.
  const auto wallet = fields.text("wallet", Presence::optional, parse_wallet_id);
  if (refusal.failures.empty()) refusal.wallet = wallet;
  refusal.available = fields.amount("available", Presence::optional);
  refusal.needed = fields.amount("needed", Presence::optional);
  if (fields.has("newest_token")) refusal.newest_token = fields.token("newest_token");
  return answer;
}

}  // namespace

Parsed<Wallet> read_wallet(const Node& node) {
  return parse_with(node, take_wallet);
}

Parsed<WorldWallet> read_world_wallet(const Node& node) {
  return parse_with(node, take_world_wallet);
}

Parsed<Entry> read_entry(const Node& node) {
  return parse_with(node, take_entry);
}

Parsed<BalanceAt> read_balance_at(const Node& node) {
  return parse_with(node, take_balance_at);
}

Parsed<Currency> read_currency(const Node& node) {
  return parse_with(node, take_currency);
}

Parsed<Hold> read_hold(const Node& node) {
  return parse_with(node, take_hold);
}

Parsed<ReceiptAnswer> read_receipt(const Node& node) {
  return parse_with(node, take_receipt);
}

Parsed<Event> read_event(const Node& node) {
  return parse_with(node, take_event);
}

Parsed<LeaseAnswer> read_lease(const Node& node) {
  return parse_with(node, take_lease);
}

Parsed<ListAnswer> read_list(const Node& node) {
  return parse_with(node, take_list);
}

Parsed<ProblemAnswer> read_problem(const Node& node) {
  return parse_with(node, take_problem);
}

}  // namespace mizan::json
