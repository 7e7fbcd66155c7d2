#include "domain/decide.hpp"

#include "base/assert.hpp"
#include "domain/leg_rules.hpp"
#include "domain/posting.hpp"
#include "domain/refusals.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::domain {
namespace {

/// The deadline of a hold is the first moment at which it is no longer open.
bool is_past(const std::optional<Timestamp>& deadline, Timestamp now) noexcept {
  return deadline && *deadline <= now;
}

Decision decide_legs(const DecisionInput& input, std::optional<Refusal> late_refusal) {
  if (auto refusal = check_legs(input)) return *std::move(refusal);
  auto unmet = check_conditions(input);
  Undo undo;
  Effect effect = post(input, Funds::required, undo);
  if (effect.out_of_range) return *std::move(effect.out_of_range);
  if (late_refusal) return *std::move(late_refusal);
  if (unmet) return *std::move(unmet);
  if (effect.no_funds) return *std::move(effect.no_funds);
  undo.keep();
  return Decided{std::move(effect.legs), std::nullopt, nullptr};
}

Decision decide_hold(const DecisionInput& input, const CreateHold& request) {
  MIZAN_ASSERT(input.legs.size() == 1);
  if (auto refusal = check_hold_legs(input)) return *std::move(refusal);
  const ResolvedLeg& leg = input.legs.front();
  WalletState& wallet = *leg.from.state;
  const WideUnits held = wide(wallet.held) + wide(leg.amount);
  if (!in_range(held) || !in_range(wide(wallet.balance) - held)) {
    return out_of_range(wallet, 0, "/from");
  }
  if (auto refusal = check_conditions(input)) return *std::move(refusal);
  if (!has_funds(wallet, leg.amount)) return insufficient_funds(wallet, leg.amount, 0);

  wallet.held = MinorUnits{static_cast<std::int64_t>(held)};
  HoldChange change;
  change.kind = HoldChange::Kind::create;
  change.after = {input.operation->id,
                  wallet.number,
                  leg.to.is_world ? world_number : leg.to.state->number,
                  leg.amount,
                  MinorUnits{0},
                  HoldStatus::open,
                  std::nullopt,
                  input.now};
  if (request.expires_in) change.after.expires_at = input.now + *request.expires_in;
  return Decided{{}, change, &wallet};
}

MinorUnits remaining_of(const HoldRecord& hold) {
  return MinorUnits{hold.amount.value() - hold.captured.value()};
}

HoldChange hold_change(const HoldRecord& before) {
  HoldChange change;
  change.kind = HoldChange::Kind::change;
  change.after = before;
  change.status_before = before.status;
  change.captured_before = before.captured;
  return change;
}

/// Capture: nothing is available that was not reserved, so only the range can refuse the money.
Decision decide_capture(const DecisionInput& input, const CaptureHold& request) {
  const bool states_no_amount = request.amount && request.amount->value() <= 0;
  if (input.hold == nullptr) {
    if (auto refusal = check_existence(input)) return *std::move(refusal);
    if (states_no_amount) return invalid_amount(*request.amount, 0);
    return hold_not_found(request.hold);
  }
  MIZAN_ASSERT(input.legs.size() == 1);
  const HoldRecord& hold = *input.hold;
  const bool open = hold.status == HoldStatus::open && !is_due(hold, input.now);
  const MinorUnits rest = remaining_of(hold);
  // What is left of a hold that is not open is no amount to judge; one that is stated is.
  if (auto refusal = check_legs(input)) {
    const bool judged = open || states_no_amount;
    if (judged || refusal->code < Code::invalid_amount) return *std::move(refusal);
  }
  if (!open) return hold_not_open(hold, input.now);
  if (input.legs.front().amount > rest) return exceeds_hold(hold, input.legs.front().amount);
  auto unmet = check_conditions(input);

  Undo undo;
  WalletState& wallet = *input.legs.front().from.state;
  undo.remember(wallet);
  const MinorUnits amount = input.legs.front().amount;
  wallet.held = MinorUnits{wallet.held.value() - amount.value()};
  MIZAN_ASSERT(wallet.held.value() >= 0);
  Effect effect = post(input, Funds::reserved, undo);
  if (effect.out_of_range) return *std::move(effect.out_of_range);
  if (unmet) return *std::move(unmet);
  undo.keep();
  HoldChange change = hold_change(hold);
  change.after.captured = MinorUnits{hold.captured.value() + amount.value()};
  if (change.after.captured == hold.amount) change.after.status = HoldStatus::captured;
  return Decided{std::move(effect.legs), change, &wallet};
}

/// Void gives money back to `available`: allowed on a frozen wallet, nothing is debited.
Decision decide_void(const DecisionInput& input, const VoidHold& request) {
  if (auto refusal = check_existence(input)) return *std::move(refusal);
  if (input.hold == nullptr) return hold_not_found(request.hold);
  MIZAN_ASSERT(input.legs.size() == 1);
  const HoldRecord& hold = *input.hold;
  if (hold.status != HoldStatus::open || is_due(hold, input.now)) {
    return hold_not_open(hold, input.now);
  }
  if (auto refusal = check_conditions(input)) return *std::move(refusal);
  WalletState& wallet = *input.legs.front().from.state;
  HoldChange change = hold_change(hold);
  change.after.status = HoldStatus::voided;
  wallet.held = MinorUnits{wallet.held.value() - remaining_of(hold).value()};
  MIZAN_ASSERT(wallet.held.value() >= 0);
  return Decided{{}, change, &wallet};
}

/// What cannot be reversed has nothing to post, so that of wallets only those of the conditions
/// are looked at.
Decision decide_reverse(const DecisionInput& input, const Reverse& request) {
  if (auto refusal = check_existence(input)) return *std::move(refusal);
  if (input.reversible == nullptr) return operation_not_found(request.operation);
  if (!is_reversible(input.reversible->type)) {
    return not_reversible(request.operation, input.reversible->type);
  }
  std::optional<Refusal> late;
  if (input.reversible->reversed) late = already_reversed(request.operation);
  return decide_legs(input, std::move(late));
}

Decision decide_by_kind(const DecisionInput& input) {
  const OperationBody& body = input.operation->body;
  if (const auto* hold = std::get_if<CreateHold>(&body)) return decide_hold(input, *hold);
  if (const auto* capture = std::get_if<CaptureHold>(&body)) return decide_capture(input, *capture);
  if (const auto* voided = std::get_if<VoidHold>(&body)) return decide_void(input, *voided);
  if (const auto* reverse = std::get_if<Reverse>(&body)) return decide_reverse(input, *reverse);
  return decide_legs(input, std::nullopt);
}

/// The rules speak of legs; this is the field of the request that gave the leg its `part`.
std::string field_of(OperationType type, std::string_view part) {
  switch (type) {
    case OperationType::transfer:
      break;
    case OperationType::deposit:
      return part == "/to" ? "/wallet" : std::string(part);
    case OperationType::withdraw:
    case OperationType::hold:
      return part == "/from" ? "/wallet" : std::string(part);
    case OperationType::capture:
    case OperationType::void_hold:
      return part == "/amount" ? "/amount" : "/hold";
    case OperationType::reverse:
      return "/operation";
  }
  return std::string(part);
}

/// Makes the pointer of a refusal one into the request that was sent.
void blame_request(OperationType type, Refusal& refusal) {
  constexpr std::string_view legs = "/legs/";
  if (type == OperationType::transfer || !refusal.pointer.starts_with(legs)) return;
  const std::size_t part = refusal.pointer.find('/', legs.size());
  MIZAN_ASSERT(part != std::string::npos);
  refusal.pointer = field_of(type, std::string_view(refusal.pointer).substr(part));
}

}  // namespace

Decision decide(const DecisionInput& input) {
  Decision decision = decide_by_kind(input);
  if (auto* refusal = std::get_if<Refusal>(&decision)) {
    blame_request(type_of(input.operation->body), *refusal);
  }
  return decision;
}

bool fence_passes(const std::optional<FenceMark>& mark, const Fence& fence) noexcept {
  if (!mark || fence.token > mark->token) return true;
  return fence.token == mark->token && !fence.owner.empty() && fence.owner == mark->owner;
}

std::vector<Leg> reversed_legs(const ReversibleOperation& operation) {
  std::vector<Leg> legs;
  legs.reserve(operation.legs.size());
  for (auto it = operation.legs.rbegin(); it != operation.legs.rend(); ++it) {
    legs.push_back({it->to, it->from, it->amount, it->currency});
  }
  return legs;
}

bool is_reversible(OperationType type) noexcept {
  return type == OperationType::transfer || type == OperationType::deposit ||
         type == OperationType::withdraw || type == OperationType::capture;
}

bool is_due(const HoldRecord& hold, Timestamp now) noexcept {
  return is_past(hold.expires_at, now);
}

Hold shown_at(Hold hold, Timestamp now) noexcept {
  if (hold.status == HoldStatus::open && is_past(hold.expires_at, now)) {
    hold.status = HoldStatus::expired;
  }
  return hold;
}

Wallet without_due_holds(Wallet wallet, MinorUnits due) noexcept {
  wallet.held = MinorUnits{wallet.held.value() - due.value()};
  return wallet;
}

HoldChange expire(const HoldRecord& hold, WalletState& wallet) {
  HoldChange change = hold_change(hold);
  change.after.status = HoldStatus::expired;
  wallet.held = MinorUnits{wallet.held.value() - remaining_of(hold).value()};
  MIZAN_ASSERT(wallet.held.value() >= 0);
  return change;
}

std::variant<WalletState, Refusal> decide_patch(const WalletState& wallet,
                                                const WalletPatch& patch) {
  WalletState after = wallet;
  if (wallet.status == WalletStatus::closed) {
    const bool closes_again =
        patch.status == WalletStatus::closed && !patch.min_balance && !patch.metadata;
    if (closes_again) return after;
    return wallet_is_closed(wallet);
  }
  if (patch.min_balance) {
    const MinBalance& limit = *patch.min_balance;
    if (limit && available(wallet) < *limit) return limit_above_available(wallet, *limit);
    after.min_balance = limit;
  }
  if (patch.status) {
    if (*patch.status == WalletStatus::closed &&
        (wallet.balance.value() != 0 || wallet.held.value() != 0)) {
      return not_empty(wallet);
    }
    after.status = *patch.status;
  }
  return after;
}

MinorUnits available(const WalletState& wallet) noexcept {
  const auto free = subtract(wallet.balance, wallet.held);
  MIZAN_ASSERT(free.has_value());
  return *free;
}

}  // namespace mizan::domain
