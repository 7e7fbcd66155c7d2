#include "domain/decide.hpp"

#include "base/assert.hpp"
#include "domain/refusals.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::domain {
namespace {

WideUnits wide(MinorUnits units) {
  return units.value();
}

bool in_range(WideUnits units) {
  return units >= std::numeric_limits<std::int64_t>::min() &&
         units <= std::numeric_limits<std::int64_t>::max();
}

/// Checks one property of all legs before the next property is looked at: that is what makes the
/// order of precedence the same for every number of legs.
template <class Check>
std::optional<Refusal> first_refusal(const std::vector<ResolvedLeg>& legs, Check check) {
  for (std::size_t i = 0; i < legs.size(); ++i) {
    if (auto refusal = check(legs[i], i)) return refusal;
  }
  return std::nullopt;
}

std::optional<Refusal> check_existence(const DecisionInput& input) {
  auto refusal = first_refusal(input.legs, [](const ResolvedLeg& leg, std::size_t i) {
    if (leg.from.missing()) return std::optional(wallet_not_found(leg.from_id, i, "/from"));
    if (leg.to.missing()) return std::optional(wallet_not_found(leg.to_id, i, "/to"));
    return std::optional<Refusal>();
  });
  if (refusal) return refusal;
  for (std::size_t i = 0; i < input.condition_wallets.size(); ++i) {
    if (input.condition_wallets[i] != nullptr) continue;
    return condition_wallet_not_found(input.operation->conditions[i].wallet, i);
  }
  return std::nullopt;
}

/// A wallet in `status` refuses debits and credits alike.
std::optional<Refusal> check_status(const DecisionInput& input, WalletStatus status) {
  return first_refusal(input.legs, [status](const ResolvedLeg& leg, std::size_t i) {
    for (const auto& [side, name] : {std::pair(leg.from, "/from"), std::pair(leg.to, "/to")}) {
      if (side.state != nullptr && side.state->status == status) {
        return std::optional(wallet_not_active(*side.state, i, name));
      }
    }
    return std::optional<Refusal>();
  });
}

std::optional<Refusal> check_currencies(const DecisionInput& input) {
  return first_refusal(input.legs, [](const ResolvedLeg& leg, std::size_t i) {
    const WalletState* a = leg.from.state != nullptr ? leg.from.state : leg.to.state;
    const WalletState* b = leg.to.state != nullptr ? leg.to.state : leg.from.state;
    MIZAN_ASSERT(a != nullptr);
    if (a->currency.code != b->currency.code) {
      return std::optional(currency_mismatch(*a, *b, i));
    }
    if (!leg.currency.empty() && leg.currency != a->currency.code) {
      return std::optional(stated_currency_mismatch(*a, leg.currency, i));
    }
    return std::optional<Refusal>();
  });
}

std::optional<Refusal> check_distinct(const DecisionInput& input) {
  return first_refusal(input.legs, [](const ResolvedLeg& leg, std::size_t i) {
    if (leg.from.state != nullptr && leg.from.state == leg.to.state) {
      return std::optional(same_wallet(*leg.from.state, i));
    }
    return std::optional<Refusal>();
  });
}

std::optional<Refusal> check_amounts(const DecisionInput& input) {
  return first_refusal(input.legs, [](const ResolvedLeg& leg, std::size_t i) {
    if (leg.amount.value() <= 0) return std::optional(invalid_amount(leg.amount, i));
    return std::optional<Refusal>();
  });
}

std::optional<Refusal> check_conditions(const DecisionInput& input) {
  std::vector<ConditionFailure> failures;
  const auto expect = [&failures](const Condition& condition,
                                  const char* field,
                                  bool holds,
                                  const auto& expected,
                                  const auto& actual) {
    if (holds) return;
    failures.push_back({condition.wallet, field, std::to_string(expected), std::to_string(actual)});
  };
  for (std::size_t i = 0; i < input.condition_wallets.size(); ++i) {
    const Condition& condition = input.operation->conditions[i];
    const WalletState& wallet = *input.condition_wallets[i];
    const std::int64_t balance = wallet.balance.value();
    const std::int64_t free = available(wallet).value();
    if (condition.version) {
      expect(condition,
             "version",
             wallet.version == *condition.version,
             *condition.version,
             wallet.version);
    }
    if (condition.min_balance) {
      expect(condition,
             "min_balance",
             balance >= condition.min_balance->value(),
             condition.min_balance->value(),
             balance);
    }
    if (condition.max_balance) {
      expect(condition,
             "max_balance",
             balance <= condition.max_balance->value(),
             condition.max_balance->value(),
             balance);
    }
    if (condition.min_available) {
      expect(condition,
             "min_available",
             free >= condition.min_available->value(),
             condition.min_available->value(),
             free);
    }
  }
  if (failures.empty()) return std::nullopt;
  return condition_failed(std::move(failures));
}

/// What every kind of operation with legs demands of them, in order of precedence, up to where
/// the kinds differ.
std::optional<Refusal> check_legs(const DecisionInput& input) {
  if (auto refusal = check_existence(input)) return refusal;
  if (auto refusal = check_status(input, WalletStatus::frozen)) return refusal;
  if (auto refusal = check_status(input, WalletStatus::closed)) return refusal;
  if (auto refusal = check_currencies(input)) return refusal;
  if (auto refusal = check_distinct(input)) return refusal;
  return check_amounts(input);
}

/// Puts wallets back as they were unless the decision is kept.
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  ~Undo() {
    for (auto it = more_.rbegin(); it != more_.rend(); ++it) it->restore();
    while (few_count_ > 0) few_[--few_count_].restore();
  }

  void remember(WalletState& wallet) {
    const Before before{&wallet, wallet.balance, wallet.held, wallet.version};
    if (few_count_ < few_.size()) {
      few_[few_count_++] = before;
    } else {
      more_.push_back(before);
    }
  }

  void keep() {
    few_count_ = 0;
    more_.clear();
  }

 private:
  struct Before {
    WalletState* wallet = nullptr;
    MinorUnits balance;
    MinorUnits held;
    std::uint64_t version = 0;

    void restore() const {
      wallet->balance = balance;
      wallet->held = held;
      wallet->version = version;
    }
  };

  std::array<Before, 2> few_;  // One leg's; most operations have no other and need no memory.
  std::size_t few_count_ = 0;
  std::vector<Before> more_;
};

/// Debits and credits in order. The first leg that would leave 64 bits is remembered apart from
/// the first one without funds, because the range (step 4) precedes the funds (step 5).
struct Effect {
  std::vector<DecidedLeg> legs;
  std::optional<Refusal> out_of_range;
  std::optional<Refusal> no_funds;
};

enum class Funds : std::uint8_t { required, reserved };

bool has_funds(const WalletState& wallet, MinorUnits amount) {
  if (!wallet.min_balance) return true;
  return wide(available(wallet)) - wide(amount) >= wide(*wallet.min_balance);
}

/// Applies one side. False: the balance or what is available would leave 64 bits.
bool change_balance(WalletState& wallet, WideUnits change) {
  const WideUnits balance = wide(wallet.balance) + change;
  if (!in_range(balance) || !in_range(balance - wide(wallet.held))) return false;
  wallet.balance = MinorUnits{static_cast<std::int64_t>(balance)};
  ++wallet.version;
  return true;
}

Effect post(const DecisionInput& input, Funds funds, Undo& undo) {
  Effect effect;
  effect.legs.reserve(input.legs.size());
  for (std::size_t i = 0; i < input.legs.size(); ++i) {
    const ResolvedLeg& leg = input.legs[i];
    WalletState* from = leg.from.state;
    WalletState* to = leg.to.state;
    if (from != nullptr) {
      if (funds == Funds::required && !effect.no_funds && !has_funds(*from, leg.amount)) {
        effect.no_funds = insufficient_funds(*from, leg.amount, i);
      }
      undo.remember(*from);
      if (!change_balance(*from, -wide(leg.amount))) {
        effect.out_of_range = out_of_range(*from, i, "/from");
        return effect;
      }
    }
    if (to != nullptr) {
      undo.remember(*to);
      if (!change_balance(*to, wide(leg.amount))) {
        effect.out_of_range = out_of_range(*to, i, "/to");
        return effect;
      }
    }
    effect.legs.push_back({from,
                           to,
                           leg.amount,
                           from != nullptr ? from->balance : MinorUnits{},
                           from != nullptr ? from->version : 0,
                           to != nullptr ? to->balance : MinorUnits{},
                           to != nullptr ? to->version : 0});
  }
  return effect;
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

/// A hold's `to` receives nothing yet: it must exist in the right currency and not be closed.
std::optional<Refusal> check_hold_legs(const DecisionInput& input) {
  const ResolvedLeg& leg = input.legs.front();
  if (auto refusal = check_existence(input)) return refusal;
  if (leg.from.state->status == WalletStatus::frozen) {
    return wallet_not_active(*leg.from.state, 0, "/from");
  }
  if (auto refusal = check_status(input, WalletStatus::closed)) return refusal;
  if (auto refusal = check_currencies(input)) return refusal;
  if (auto refusal = check_distinct(input)) return refusal;
  return check_amounts(input);
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
  return hold.expires_at && *hold.expires_at <= now;
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
  if (wallet.status == WalletStatus::closed) return wallet_is_closed(wallet);
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
