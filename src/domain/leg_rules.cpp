#include "domain/leg_rules.hpp"

#include "base/assert.hpp"
#include "domain/refusals.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mizan::domain {
namespace {

/// Checks one property of all legs before the next property is looked at: that is what makes the
/// order of precedence the same for every number of legs.
template <class Check>
std::optional<Refusal> first_refusal(const std::vector<ResolvedLeg>& legs, Check check) {
  for (std::size_t i = 0; i < legs.size(); ++i) {
    if (auto refusal = check(legs[i], i)) return refusal;
  }
  return std::nullopt;
}

/// A wallet in `status` refuses debits and credits alike.
std::optional<Refusal> check_status(const DecisionInput& input, WalletStatus status) {
  return first_refusal(input.legs, [status](const ResolvedLeg& leg, std::size_t i) {
    const auto refused = [status](const Side& side) {
      return side.state != nullptr && side.state->status == status;
    };
    if (refused(leg.from)) return std::optional(wallet_not_active(*leg.from.state, i, "/from"));
    if (refused(leg.to)) return std::optional(wallet_not_active(*leg.to.state, i, "/to"));
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

std::optional<Refusal> name_missing(const WalletId* id, std::size_t leg, const char* side) {
  MIZAN_ASSERT(id != nullptr);
  return wallet_not_found(*id, leg, side);
}

}  // namespace

std::optional<Refusal> check_existence(const DecisionInput& input) {
  auto refusal = first_refusal(input.legs, [](const ResolvedLeg& leg, std::size_t i) {
    if (leg.from.missing()) return name_missing(leg.from_id, i, "/from");
    if (leg.to.missing()) return name_missing(leg.to_id, i, "/to");
    return std::optional<Refusal>();
  });
  if (refusal) return refusal;
  for (std::size_t i = 0; i < input.condition_wallets.size(); ++i) {
    if (input.condition_wallets[i] != nullptr) continue;
    return condition_wallet_not_found(input.operation->conditions[i].wallet, i);
  }
  return std::nullopt;
}

std::optional<Refusal> check_legs(const DecisionInput& input) {
  if (auto refusal = check_existence(input)) return refusal;
  if (auto refusal = check_status(input, WalletStatus::frozen)) return refusal;
  if (auto refusal = check_status(input, WalletStatus::closed)) return refusal;
  if (auto refusal = check_currencies(input)) return refusal;
  if (auto refusal = check_distinct(input)) return refusal;
  return check_amounts(input);
}

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

std::optional<Refusal> check_conditions(const DecisionInput& input) {
  std::vector<ConditionFailure> failures;
  std::size_t index = 0;
  const auto expect = [&](const Condition& condition,
                          const char* field,
                          bool holds,
                          const auto& expected,
                          const auto& actual) {
    if (holds) return;
    failures.push_back(
        {condition.wallet, field, std::to_string(expected), std::to_string(actual), index});
  };
  for (; index < input.condition_wallets.size(); ++index) {
    const Condition& condition = input.operation->conditions[index];
    const WalletState& wallet = *input.condition_wallets[index];
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

}  // namespace mizan::domain
