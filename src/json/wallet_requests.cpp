#include "json/fields.hpp"
#include "json/requests.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace mizan::json {

namespace {

using Problems = std::vector<FieldProblem>;

constexpr std::uint64_t ttl_min_ms = 50;
constexpr std::uint64_t ttl_max_ms = 3'600'000;
constexpr std::uint64_t wait_max_ms = 3'600'000;

/// Reads the document's fields with `read`, then refuses whatever was wrong with any of them.
template <class T>
Parsed<T> parse_with(std::string_view body, T (*read)(Fields&)) {
  Parsed<Node> document = parse_document(body);
  if (!document) return std::move(document).error();
  Problems problems;
  Fields fields(document.value(), "", problems);
  T request = read(fields);
  fields.finish();
  if (!problems.empty()) return InvalidRequest{std::move(problems)};
  return request;
}

Result<WalletId> parse_own_wallet_id(std::string_view text) {
  Result<WalletId> id = parse_wallet_id(text);
  if (id && is_system_wallet(*id)) {
    return invalid_request("wallet id", "wallet ids that begin with @ belong to the ledger");
  }
  return id;
}

Result<WalletStatus> parse_status(std::string_view text) {
  const std::optional<WalletStatus> status = parse_wallet_status(text);
  if (status) return *status;
  return invalid_request("status", "the status is one of active, frozen and closed");
}

WalletRequest read_new_wallet(Fields& fields) {
  WalletRequest wallet;
  wallet.id = fields.text("id", Presence::required, parse_own_wallet_id).value_or(WalletId{});
  wallet.currency =
      fields.text("currency", Presence::required, parse_currency_code).value_or(CurrencyCode{});
  wallet.min_balance = fields.nullable_amount("min_balance").value_or(MinorUnits{0});
  wallet.metadata = fields.metadata("metadata").value_or(Metadata{});
  wallet.dry_run = fields.boolean("dry_run").value_or(false);
  return wallet;
}

Currency read_new_currency(Fields& fields) {
  Currency currency;
  currency.code =
      fields.text("code", Presence::required, parse_currency_code).value_or(CurrencyCode{});
  currency.exponent = static_cast<std::uint8_t>(
      fields.counter("exponent", Presence::required, 0, exponent_max).value_or(0));
  return currency;
}

WalletPatch read_wallet_patch(Fields& fields) {
  WalletPatch patch;
  const bool is_empty =
      !fields.has("status") && !fields.has("min_balance") && !fields.has("metadata");
  patch.status = fields.text("status", Presence::optional, parse_status);
  patch.min_balance = fields.nullable_amount("min_balance");
  patch.metadata = fields.metadata("metadata");
  if (is_empty) {
    fields.problems().push_back(
        {"", field_code::missing, "at least one of status, min_balance and metadata is required"});
  }
  return patch;
}

std::chrono::milliseconds read_ttl(Fields& fields) {
  const auto ttl = fields.counter("ttl_ms", Presence::required, ttl_min_ms, ttl_max_ms);
  return std::chrono::milliseconds{static_cast<std::int64_t>(ttl.value_or(ttl_min_ms))};
}

LockOwner read_owner(Fields& fields, Presence presence) {
  return fields.text("owner", presence, parse_lock_owner).value_or(LockOwner{});
}

LockOwner read_required_owner(Fields& fields) {
  return read_owner(fields, Presence::required);
}

LockRequest read_lock_request(Fields& fields) {
  LockRequest request;
  request.ttl = read_ttl(fields);
  request.owner = read_owner(fields, Presence::optional);
  const auto wait = fields.counter("wait_ms", Presence::optional, 0, wait_max_ms);
  if (wait) request.wait = std::chrono::milliseconds{static_cast<std::int64_t>(*wait)};
  return request;
}

RenewRequest read_renew_request(Fields& fields) {
  const LockOwner owner = read_required_owner(fields);
  return {owner, read_ttl(fields)};
}

}  // namespace

Parsed<WalletRequest> parse_new_wallet(std::string_view body) {
  return parse_with(body, read_new_wallet);
}

Parsed<Currency> parse_new_currency(std::string_view body) {
  return parse_with(body, read_new_currency);
}

Parsed<WalletPatch> parse_wallet_patch(std::string_view body) {
  return parse_with(body, read_wallet_patch);
}

Parsed<LockRequest> parse_lock_request(std::string_view body) {
  return parse_with(body, read_lock_request);
}

Parsed<RenewRequest> parse_renew_request(std::string_view body) {
  return parse_with(body, read_renew_request);
}

Parsed<LockOwner> parse_release_request(std::string_view body) {
  return parse_with(body, read_required_owner);
}

}  // namespace mizan::json
