#include "store/memory/guarded_delta.hpp"

namespace mizan::memory {

std::optional<WalletState> state_after(const WalletState& before, const GuardedDelta& delta) {
  if (!delta.currency.empty() && delta.currency != before.currency.code) return std::nullopt;
  if (delta.require_active && before.status != WalletStatus::active) return std::nullopt;
  if (delta.version && *delta.version != before.version) return std::nullopt;
  const std::optional<MinorUnits> balance = add(before.balance, delta.balance_change);
  const std::optional<MinorUnits> held = add(before.held, delta.held_change);
  if (!balance || !held || *held < MinorUnits{0}) return std::nullopt;
  if (delta.require_funds && before.min_balance) {
    const WideUnits available = WideUnits{balance->value()} - held->value();
    if (available < before.min_balance->value()) return std::nullopt;
  }
  WalletState after = before;
  after.balance = *balance;
  after.held = *held;
  if (delta.balance_change != MinorUnits{0}) ++after.version;
  ++after.revision;
  return after;
}

}  // namespace mizan::memory
