#include "domain/posting.hpp"

#include "domain/refusals.hpp"

#include <limits>

namespace mizan::domain {
namespace {

/// Applies one side. False: the balance or what is available would leave 64 bits.
bool change_balance(WalletState& wallet, WideUnits change) {
  const WideUnits balance = wide(wallet.balance) + change;
  if (!in_range(balance) || !in_range(balance - wide(wallet.held))) return false;
  wallet.balance = MinorUnits{static_cast<std::int64_t>(balance)};
  ++wallet.version;
  return true;
}

/// What one leg met: true where it could be posted.
bool post_leg(const ResolvedLeg& leg, std::size_t i, Effect& effect, Undo& undo) {
  WalletState* from = leg.from.state;
  WalletState* to = leg.to.state;
  if (from != nullptr) {
    undo.remember(*from);
    if (!change_balance(*from, -wide(leg.amount))) {
      effect.out_of_range = out_of_range(*from, i, "/from");
      return false;
    }
  }
  if (to != nullptr) {
    undo.remember(*to);
    if (!change_balance(*to, wide(leg.amount))) {
      effect.out_of_range = out_of_range(*to, i, "/to");
      return false;
    }
  }
  effect.legs.push_back({from,
                         to,
                         leg.amount,
                         from != nullptr ? from->balance : MinorUnits{},
                         from != nullptr ? from->version : 0,
                         to != nullptr ? to->balance : MinorUnits{},
                         to != nullptr ? to->version : 0});
  return true;
}

}  // namespace

bool in_range(WideUnits units) noexcept {
  return units >= std::numeric_limits<std::int64_t>::min() &&
         units <= std::numeric_limits<std::int64_t>::max();
}

bool has_funds(const WalletState& wallet, MinorUnits amount) {
  if (!wallet.min_balance) return true;
  return wide(available(wallet)) - wide(amount) >= wide(*wallet.min_balance);
}

Effect post(const DecisionInput& input, Funds funds, Undo& undo) {
  Effect effect;
  effect.legs.reserve(input.legs.size());
  for (std::size_t i = 0; i < input.legs.size(); ++i) {
    const ResolvedLeg& leg = input.legs[i];
    const WalletState* from = leg.from.state;
    const bool judged = funds == Funds::required && !effect.no_funds && from != nullptr;
    if (judged && !has_funds(*from, leg.amount)) {
      effect.no_funds = insufficient_funds(*from, leg.amount, i);
    }
    if (!post_leg(leg, i, effect, undo)) break;
  }
  return effect;
}

}  // namespace mizan::domain
