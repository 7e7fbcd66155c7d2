#include "domain/refusals.hpp"

#include "base/ledger_resource.hpp"
#include "base/no_token_left.hpp"
#include "domain/decide.hpp"
#include "domain/fence_pointer.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mizan::domain {
namespace {

std::string leg_pointer(std::size_t leg, std::string_view field) {
  return std::string("/legs/").append(std::to_string(leg)).append(field);
}

Refusal refuse(Code code, std::string detail, std::string pointer = {}) {
  Refusal refusal;
  refusal.code = code;
  refusal.detail = std::move(detail);
  refusal.pointer = std::move(pointer);
  return refusal;
}

Refusal refuse_wallet(Code code, const WalletId& id, std::string rest, std::string pointer) {
  Refusal refusal = refuse(code, "wallet " + id.str() + std::move(rest), std::move(pointer));
  refusal.wallet = id;
  return refusal;
}

std::string digits(MinorUnits units) {
  return std::to_string(units.value());
}

}  // namespace

Refusal wallet_not_found(const WalletId& id, std::size_t leg, std::string_view side) {
  return refuse_wallet(Code::wallet_not_found, id, " does not exist", leg_pointer(leg, side));
}

Refusal condition_wallet_not_found(const WalletId& id, std::size_t condition) {
  return refuse_wallet(Code::wallet_not_found,
                       id,
                       " does not exist",
                       "/conditions/" + std::to_string(condition) + "/wallet");
}

Refusal wallet_not_active(const WalletState& wallet, std::size_t leg, std::string_view side) {
  if (wallet.status == WalletStatus::frozen) {
    return refuse_wallet(Code::wallet_frozen,
                         wallet.id,
                         " is frozen: it refuses debits and credits",
                         leg_pointer(leg, side));
  }
  return refuse_wallet(Code::wallet_closed, wallet.id, " is closed", leg_pointer(leg, side));
}

Refusal wallet_is_closed(const WalletState& wallet) {
  return refuse_wallet(
      Code::wallet_closed, wallet.id, " is closed; a closed wallet stays closed", "/status");
}

Refusal currency_mismatch(const WalletState& a, const WalletState& b, std::size_t leg) {
  return refuse_wallet(Code::currency_mismatch,
                       b.id,
                       " holds " + b.currency.code.str() + ", wallet " + a.id.str() + " holds " +
                           a.currency.code.str(),
                       leg_pointer(leg, "/to"));
}

Refusal stated_currency_mismatch(const WalletState& wallet,
                                 const CurrencyCode& stated,
                                 std::size_t leg) {
  return refuse_wallet(
      Code::currency_mismatch,
      wallet.id,
      " holds " + wallet.currency.code.str() + ", the request says " + stated.str(),
      leg_pointer(leg, "/currency"));
}

Refusal same_wallet(const WalletState& wallet, std::size_t leg) {
  return refuse_wallet(
      Code::same_wallet, wallet.id, " is both sides of the leg", leg_pointer(leg, "/to"));
}

Refusal invalid_amount(MinorUnits amount, std::size_t leg) {
  return refuse(Code::invalid_amount,
                "an amount is greater than zero, this one is " + digits(amount),
                leg_pointer(leg, "/amount"));
}

Refusal out_of_range(const WalletState& wallet, std::size_t leg, std::string_view side) {
  return refuse_wallet(
      Code::limit_exceeded, wallet.id, " would leave the range of 64 bits", leg_pointer(leg, side));
}

Refusal exceeds_hold(const HoldRecord& hold, MinorUnits needed) {
  const MinorUnits rest{hold.amount.value() - hold.captured.value()};
  Refusal refusal = refuse(Code::limit_exceeded,
                           "hold " + hold.id.str() + " has " + digits(rest) +
                               " left, the capture asks for " + digits(needed),
                           "/amount");
  refusal.available = rest;
  refusal.needed = needed;
  return refusal;
}

Refusal limit_above_available(const WalletState& wallet, MinorUnits limit) {
  Refusal refusal = refuse_wallet(Code::limit_exceeded,
                                  wallet.id,
                                  " has " + digits(available(wallet)) +
                                      " available, less than the new min_balance " + digits(limit),
                                  "/min_balance");
  refusal.available = available(wallet);
  refusal.needed = limit;
  return refusal;
}

Refusal not_empty(const WalletState& wallet) {
  return refuse_wallet(Code::limit_exceeded,
                       wallet.id,
                       " can be closed with balance 0 and no holds only; its balance is " +
                           digits(wallet.balance) + ", held " + digits(wallet.held),
                       "/status");
}

Refusal hold_not_open(const HoldRecord& hold, Timestamp now) {
  const bool due = hold.status == HoldStatus::open && is_due(hold, now);
  const HoldStatus status = due ? HoldStatus::expired : hold.status;
  return refuse(Code::hold_not_open,
                "hold " + hold.id.str() + " is not open: it is " + std::string(to_string(status)),
                "/hold");
}

Refusal hold_not_found(const OperationId& id) {
  return refuse(Code::hold_not_found, "hold " + id.str() + " does not exist", "/hold");
}

Refusal already_reversed(const OperationId& id) {
  return refuse(
      Code::already_reversed, "operation " + id.str() + " has been reversed already", "/operation");
}

Refusal not_reversible(const OperationId& id, OperationType type) {
  return refuse(Code::not_reversible,
                "operation " + id.str() + " is a " + std::string(to_string(type)) +
                    "; only transfers, deposits, withdrawals and captures can be reversed",
                "/operation");
}

Refusal operation_not_found(const OperationId& id) {
  return refuse(
      Code::operation_not_found, "operation " + id.str() + " does not exist", "/operation");
}

Refusal condition_failed(std::vector<ConditionFailure> failures) {
  const ConditionFailure& first = failures.front();
  Refusal refusal =
      refuse(Code::condition_failed,
             "condition on wallet " + first.wallet.str() + " does not hold: " + first.field +
                 " expected " + first.expected + ", is " + first.actual,
             "/conditions/" + std::to_string(first.condition) + "/" + first.field);
  refusal.wallet = first.wallet;
  refusal.failures = std::move(failures);
  return refusal;
}

Refusal insufficient_funds(const WalletState& wallet, MinorUnits needed, std::size_t leg) {
  Refusal refusal = refuse_wallet(
      Code::insufficient_funds,
      wallet.id,
      " has " + digits(available(wallet)) + " available, " + digits(needed) + " needed",
      leg_pointer(leg, "/amount"));
  refusal.available = available(wallet);
  refusal.needed = needed;
  return refusal;
}

Refusal stale_fence(const std::vector<Fence>& fences, std::size_t index, FenceToken newest) {
  const Fence& fence = fences[index];
  std::string detail = "token " + std::to_string(fence.token.value()) + " of " +
                       fence.resource.str() + " is not newer than " +
                       std::to_string(newest.value()) + ", which was applied already";
  if (newest == greatest_token) {
    detail +=
        " and is the greatest there is: no later holder can be admitted, use another resource";
  }
  Refusal refusal = refuse(Code::stale_fence, std::move(detail));
  if (!is_ledger_resource(fence.resource)) {
    const auto is_stated = [](const Fence& one) { return !is_ledger_resource(one.resource); };
    const auto count = std::count_if(fences.begin(), fences.end(), is_stated);
    refusal.pointer = fence_pointer(index, static_cast<std::size_t>(count), "/token");
  }
  refusal.newest_token = newest;
  return refusal;
}

Refusal operation_mismatch(const OperationId& id) {
  return refuse(Code::operation_mismatch,
                "operation id " + id.str() + " was used with different content; use a new id",
                "/id");
}

}  // namespace mizan::domain
