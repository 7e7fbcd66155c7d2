#include "testkit/plan_builder.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace mizan::testkit {
namespace {

/// Tests of the second net plan balances that leave 64 bits; they wrap here and nowhere else.
std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

Fingerprint fingerprint_of(std::string_view text) {
  Fingerprint fingerprint{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::byte& byte = fingerprint[i % fingerprint.size()];
    const unsigned mixed =
        std::to_integer<unsigned>(byte) * 31U + static_cast<unsigned char>(text[i]);
    byte = static_cast<std::byte>(mixed & 0xffU);
  }
  return fingerprint;
}

PlanBuilder::PlanBuilder(std::vector<WalletState> states) : states_(std::move(states)) {}

PlanBuilder& PlanBuilder::at(Timestamp time) {
  at_ = time;
  return *this;
}

PlanBuilder& PlanBuilder::transfer(std::string_view id, std::initializer_list<LegText> legs) {
  PlannedOperation& operation = add(id, OperationType::transfer);
  for (const LegText& leg : legs) {
    add_leg(operation, slot_of(WalletId(leg.from)), slot_of(WalletId(leg.to)), leg.amount);
  }
  return *this;
}

PlanBuilder& PlanBuilder::transfer(std::string_view id,
                                   std::string_view from,
                                   std::string_view to,
                                   std::int64_t amount) {
  return transfer(id, {{from, to, amount}});
}

PlanBuilder& PlanBuilder::deposit(std::string_view id,
                                  std::string_view wallet,
                                  std::int64_t amount) {
  add_leg(add(id, OperationType::deposit), world_slot, slot_of(WalletId(wallet)), amount);
  return *this;
}

PlanBuilder& PlanBuilder::withdraw(std::string_view id,
                                   std::string_view wallet,
                                   std::int64_t amount) {
  add_leg(add(id, OperationType::withdraw), slot_of(WalletId(wallet)), world_slot, amount);
  return *this;
}

PlanBuilder& PlanBuilder::hold(std::string_view id,
                               std::string_view wallet,
                               std::int64_t amount,
                               std::optional<Timestamp> expires_at,
                               std::string_view to) {
  PlannedOperation& operation = add(id, OperationType::hold);
  WalletState& state = plan_.wallets[slot_of(WalletId(wallet))].after;
  state.held = MinorUnits{wrapping_add(state.held.value(), amount)};
  HoldChange change;
  change.kind = HoldChange::Kind::create;
  change.after.id = OperationId(id);
  change.after.wallet = state.number;
  if (!to.empty()) change.after.to = plan_.wallets[slot_of(WalletId(to))].after.number;
  change.after.amount = MinorUnits{amount};
  change.after.expires_at = expires_at;
  change.after.created_at = at_;
  operation.hold = std::make_unique<HoldChange>(change);
  return *this;
}

PlanBuilder& PlanBuilder::capture(std::string_view id,
                                  const HoldRecord& hold,
                                  std::int64_t amount) {
  PlannedOperation& operation = add(id, OperationType::capture);
  const Slot from = slot_of(hold.wallet);
  const Slot to = hold.to == world_number ? world_slot : slot_of(hold.to);
  WalletState& state = plan_.wallets[from].after;
  state.held = MinorUnits{wrapping_add(state.held.value(), -amount)};
  add_leg(operation, from, to, amount);
  HoldChange change;
  change.kind = HoldChange::Kind::change;
  change.after = hold;
  change.after.captured = MinorUnits{hold.captured.value() + amount};
  if (change.after.captured == hold.amount) change.after.status = HoldStatus::captured;
  change.status_before = hold.status;
  change.captured_before = hold.captured;
  operation.hold = std::make_unique<HoldChange>(change);
  return *this;
}

PlanBuilder& PlanBuilder::void_hold(std::string_view id, const HoldRecord& hold) {
  PlannedOperation& operation = add(id, OperationType::void_hold);
  WalletState& state = plan_.wallets[slot_of(hold.wallet)].after;
  const std::int64_t remaining = hold.amount.value() - hold.captured.value();
  state.held = MinorUnits{wrapping_add(state.held.value(), -remaining)};
  HoldChange change;
  change.kind = HoldChange::Kind::change;
  change.after = hold;
  change.after.status = HoldStatus::voided;
  change.status_before = hold.status;
  change.captured_before = hold.captured;
  operation.hold = std::make_unique<HoldChange>(change);
  return *this;
}

PlanBuilder& PlanBuilder::reverse(std::string_view id,
                                  std::string_view reversed,
                                  std::initializer_list<LegText> legs) {
  transfer(id, legs);
  last().type = OperationType::reverse;
  last().reverses = std::make_unique<OperationId>(reversed);
  return *this;
}

PlanBuilder& PlanBuilder::refusal(std::string_view id, Code code) {
  PlannedOperation& operation = add(id, OperationType::transfer);
  auto refusal = std::make_shared<Refusal>();
  refusal->code = code;
  operation.refusal = std::move(refusal);
  return *this;
}

PlanBuilder& PlanBuilder::touch(std::string_view wallet, WalletStatus status) {
  plan_.wallets[slot_of(WalletId(wallet))].after.status = status;
  return *this;
}

PlannedOperation& PlanBuilder::last() {
  MIZAN_ASSERT(!plan_.operations.empty());
  return plan_.operations.back();
}

WalletChange& PlanBuilder::change(std::string_view wallet) {
  return plan_.wallets[slot_of(WalletId(wallet))];
}

Plan PlanBuilder::build() {
  return std::move(plan_);
}

PlannedOperation& PlanBuilder::add(std::string_view id, OperationType type) {
  PlannedOperation& operation = plan_.operations.emplace_back();
  operation.id = OperationId(id);
  operation.fingerprint = fingerprint_of(id);
  operation.type = type;
  operation.at = at_;
  return operation;
}

void PlanBuilder::add_leg(PlannedOperation& operation, Slot from, Slot to, std::int64_t amount) {
  PlannedLeg leg;
  leg.from = from;
  leg.to = to;
  leg.amount = MinorUnits{amount};
  if (from != world_slot) {
    settle(from, -amount);
    leg.from_balance = plan_.wallets[from].after.balance;
    leg.from_version = plan_.wallets[from].after.version;
  }
  if (to != world_slot) {
    settle(to, amount);
    leg.to_balance = plan_.wallets[to].after.balance;
    leg.to_version = plan_.wallets[to].after.version;
  }
  operation.legs.push_back(leg);
}

Slot PlanBuilder::slot_of(const WalletId& id) {
  if (id.empty()) return world_slot;
  const auto state = std::find_if(
      states_.begin(), states_.end(), [&id](const WalletState& known) { return known.id == id; });
  MIZAN_ASSERT(state != states_.end());
  return slot_of(*state);
}

Slot PlanBuilder::slot_of(WalletNumber number) {
  const auto state =
      std::find_if(states_.begin(), states_.end(), [number](const WalletState& known) {
        return known.number == number;
      });
  MIZAN_ASSERT(state != states_.end());
  return slot_of(*state);
}

Slot PlanBuilder::slot_of(const WalletState& state) {
  for (std::size_t i = 0; i < plan_.wallets.size(); ++i) {
    if (plan_.wallets[i].after.number == state.number) return static_cast<Slot>(i);
  }
  WalletChange change;
  change.after = state;
  change.after.revision = state.revision + 1;
  change.revision_before = state.revision;
  change.balance_changed = false;
  plan_.wallets.push_back(std::move(change));
  return static_cast<Slot>(plan_.wallets.size() - 1);
}

void PlanBuilder::settle(Slot slot, std::int64_t change) {
  WalletChange& wallet = plan_.wallets[slot];
  wallet.balance_changed = true;
  wallet.after.balance = MinorUnits{wrapping_add(wallet.after.balance.value(), change)};
  ++wallet.after.version;
  wallet.after.last_entry_at = at_;
}

}  // namespace mizan::testkit
