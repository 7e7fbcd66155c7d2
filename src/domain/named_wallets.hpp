#pragma once

#include "mizan/operation.hpp"

#include "base/match.hpp"

#include <variant>

namespace mizan::domain {

/// Calls `visit(const WalletId&)` for every wallet that the operation itself names: those of its
/// legs in order (from, then to), then those of its conditions. What a hold or a reversed operation
/// named is not there; the store knows it.
template <class Visitor>
void visit_named_wallets(const Operation& operation, const Visitor& visit) {
  std::visit(Match{[&](const Transfer& transfer) {
                     for (const Leg& leg : transfer.legs) {
                       visit(leg.from);
                       visit(leg.to);
                     }
                   },
                   [&](const Deposit& deposit) { visit(deposit.wallet); },
                   [&](const Withdraw& withdraw) { visit(withdraw.wallet); },
                   [&](const CreateHold& hold) {
                     visit(hold.wallet);
                     if (!hold.to.empty()) visit(hold.to);
                   },
                   [](const CaptureHold&) {},
                   [](const VoidHold&) {},
                   [](const Reverse&) {}},
             operation.body);
  for (const Condition& condition : operation.conditions) visit(condition.wallet);
}

}  // namespace mizan::domain
