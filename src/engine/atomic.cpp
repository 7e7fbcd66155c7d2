// The atomic strategy: the condition is part of the UPDATE.

#include "base/match.hpp"
#include "domain/decide.hpp"
#include "engine/direct.hpp"
#include "engine/receipts.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace mizan::engine {
namespace {

/// How the fast path ended. `ask_the_rules`: the database refused something, or the operation
/// says what an UPDATE cannot; the decision under row locks gives the answer.
enum class AtomicEnd : std::uint8_t { answered, ask_the_rules };

struct DeltaPlan {
  std::vector<GuardedDelta> deltas;

  /// Per leg the index of its debit and credit in `deltas`; nothing for the world's side.
  struct LegDeltas {
    std::optional<std::size_t> debit;
    std::optional<std::size_t> credit;
  };

  std::vector<LegDeltas> legs;
  std::vector<MinorUnits> amounts;
};

/// An empty id is the world, which no row stands for.
void add_leg(DeltaPlan& plan, const Leg& leg) {
  DeltaPlan::LegDeltas places;
  if (!leg.from.empty()) {
    GuardedDelta debit;
    debit.wallet = leg.from;
    debit.currency = leg.currency;
    debit.balance_change = MinorUnits{-leg.amount.value()};
    debit.require_funds = true;
    places.debit = plan.deltas.size();
    plan.deltas.push_back(debit);
  }
  if (!leg.to.empty()) {
    GuardedDelta credit;
    credit.wallet = leg.to;
    credit.currency = leg.currency;
    credit.balance_change = leg.amount;
    places.credit = plan.deltas.size();
    plan.deltas.push_back(credit);
  }
  plan.legs.push_back(places);
  plan.amounts.push_back(leg.amount);
}

/// Transfers, deposits and withdrawals without conditions are pure changes; everything else has
/// a part (a hold, a reversal, another wallet's state) that must be read first.
std::optional<DeltaPlan> plan_deltas(const Operation& operation) {
  if (!operation.conditions.empty()) return std::nullopt;
  DeltaPlan plan;
  const bool pure =
      std::visit(Match{[&plan](const Transfer& transfer) {
                         for (const Leg& leg : transfer.legs) {
                           if (leg.from == leg.to || leg.amount.value() <= 0) return false;
                           add_leg(plan, leg);
                         }
                         return true;
                       },
                       [&plan](const Deposit& deposit) {
                         if (deposit.amount.value() <= 0) return false;
                         add_leg(plan, {{}, deposit.wallet, deposit.amount, deposit.currency});
                         return true;
                       },
                       [&plan](const Withdraw& withdraw) {
                         if (withdraw.amount.value() <= 0) return false;
                         add_leg(plan, {withdraw.wallet, {}, withdraw.amount, withdraw.currency});
                         return true;
                       },
                       [](const CreateHold&) { return false; },
                       [](const CaptureHold&) { return false; },
                       [](const VoidHold&) { return false; },
                       [](const Reverse&) { return false; }},
                 operation.body);
  if (!pure) return std::nullopt;
  return plan;
}

/// The wallets of the changes, once each, as they are after the last change.
class ChangedWallets {
 public:
  explicit ChangedWallets(const std::vector<WalletChange>& changes) {
    for (const WalletChange& change : changes) {
      const auto [place, added] =
          slots_.emplace(change.after.number, static_cast<Slot>(plan_wallets_.size()));
      if (added) {
        plan_wallets_.push_back(change);
      } else {
        plan_wallets_[place->second].after = change.after;
      }
    }
  }

  [[nodiscard]] Slot slot(const WalletChange& change) const {
    return slots_.at(change.after.number);
  }

  [[nodiscard]] std::vector<WalletChange>& wallets() { return plan_wallets_; }

 private:
  std::unordered_map<WalletNumber, Slot> slots_;
  std::vector<WalletChange> plan_wallets_;
};

/// The database keeps each balance within 64 bits; what is available must stay there too.
bool available_in_range(const std::vector<WalletChange>& changes) {
  return std::all_of(changes.begin(), changes.end(), [](const WalletChange& change) {
    return subtract(change.after.balance, change.after.held).has_value();
  });
}

bool currencies_agree(const DeltaPlan& plan, const std::vector<WalletChange>& changes) {
  for (const DeltaPlan::LegDeltas& leg : plan.legs) {
    if (!leg.debit || !leg.credit) continue;
    if (changes[*leg.debit].after.currency.code != changes[*leg.credit].after.currency.code) {
      return false;
    }
  }
  return true;
}

domain::DecidedLeg decided_leg(const DeltaPlan& plan,
                               std::vector<WalletChange>& changes,
                               std::size_t index) {
  const DeltaPlan::LegDeltas& deltas = plan.legs[index];
  domain::DecidedLeg leg;
  leg.amount = plan.amounts[index];
  if (deltas.debit) {
    leg.from = &changes[*deltas.debit].after;
    leg.from_balance = leg.from->balance;
    leg.from_version = leg.from->version;
  }
  if (deltas.credit) {
    leg.to = &changes[*deltas.credit].after;
    leg.to_balance = leg.to->balance;
    leg.to_version = leg.to->version;
  }
  return leg;
}

/// What the database did, as the rules would have decided it; the legs point at the changes.
struct DonePlan {
  Plan plan;
  domain::Decided decided;
};

DonePlan make_plan(const Request& request,
                   const DeltaPlan& deltas,
                   std::vector<WalletChange>& changes,
                   Timestamp now) {
  DonePlan done;
  ChangedWallets wallets(changes);
  PlannedOperation planned;
  planned.id = request.operation->id;
  planned.fingerprint = request.fingerprint;
  planned.type = type_of(request.operation->body);
  planned.metadata = request.operation->metadata;
  planned.at = now;
  for (const WalletChange& change : changes) {
    planned.at = std::max(planned.at, change.after.last_entry_at);
  }
  for (WalletChange& wallet : wallets.wallets()) wallet.after.last_entry_at = planned.at;
  for (std::size_t i = 0; i < deltas.legs.size(); ++i) {
    const domain::DecidedLeg leg = decided_leg(deltas, changes, i);
    const DeltaPlan::LegDeltas& at = deltas.legs[i];
    planned.legs.push_back({at.debit ? wallets.slot(changes[*at.debit]) : world_slot,
                            at.credit ? wallets.slot(changes[*at.credit]) : world_slot,
                            leg.amount,
                            leg.from_balance,
                            leg.from_version,
                            leg.to_balance,
                            leg.to_version});
    done.decided.legs.push_back(leg);
  }
  done.plan.operations.push_back(std::move(planned));
  done.plan.wallets = std::move(wallets.wallets());
  return done;
}

Result<std::optional<Result<Outcome>>> repeat_or_stale(Transaction& transaction,
                                                       const Request& request) {
  using Answer = std::optional<Result<Outcome>>;
  const OperationId* const ids[] = {&request.operation->id};
  auto known = transaction.claim(ids);
  if (!known) return std::move(known).error();
  if (!known->empty()) {
    return Answer(repeat_answer(known->front().recorded, *request.operation, request.fingerprint));
  }
  const std::vector<Fence>& fences = request.operation->fences;
  for (std::size_t i = 0; i < fences.size(); ++i) {
    auto advance = transaction.advance_fence(fences[i]);
    if (!advance) return std::move(advance).error();
    if (const auto* stale = std::get_if<FenceStale>(&*advance)) {
      return Answer(refused(domain::stale_fence(fences, i, stale->newest)));
    }
  }
  return Answer();
}

Result<AtomicEnd> apply_deltas(const Context& context, Request& request, const DeltaPlan& deltas) {
  auto transaction = context.store.begin(request.deadline);
  if (!transaction) return std::move(transaction).error();
  auto early = repeat_or_stale(**transaction, request);
  if (!early) return std::move(early).error();
  if (*early) {
    request.result = **std::move(early);
    Request* const requests[] = {&request};
    count(context.counters, requests);
    return AtomicEnd::answered;
  }
  auto changed = (*transaction)->apply_deltas(deltas.deltas);
  if (!changed) return std::move(changed).error();
  auto* changes = std::get_if<std::vector<WalletChange>>(&*changed);
  if (changes == nullptr) return AtomicEnd::ask_the_rules;
  if (!currencies_agree(deltas, *changes) || !available_in_range(*changes)) {
    return AtomicEnd::ask_the_rules;
  }

  auto [plan, decided] = make_plan(request, deltas, *changes, context.clock.wall_now());
  WalletCache none;
  Receipt receipt = make_receipt(*request.operation, plan.operations.front(), decided, none);
  auto written = (*transaction)->record(plan);
  if (!written) return std::move(written).error();
  if (!std::holds_alternative<WritesDone>(*written)) return AtomicEnd::ask_the_rules;
  request.result = Result<Outcome>(Outcome(Applied{std::move(receipt)}));
  const Instant began = context.clock.now();
  if (auto status = (*transaction)->commit(); !status) return std::move(status).error();
  context.counters.note_commit_of(1, context.clock.now() - began);
  ++context.counters.operations_applied;
  return AtomicEnd::answered;
}

}  // namespace

void apply_atomic(const Context& context, Request& request) {
  const auto deltas = plan_deltas(*request.operation);
  auto doubt = Doubt::none;
  if (deltas && context.clock.now() < request.deadline) {
    auto end = apply_deltas(context, request, *deltas);
    if (end && *end == AtomicEnd::answered) return;
    if (!end) context.counters.note_failure(end.error());
    if (!end && end.error().certainty == Certainty::unknown) {
      doubt = Doubt::commit_unknown;
      request.commit_failure = std::move(end).error().detail;
    } else if (!end && end.error().retry != Retry::now) {
      request.result = Result<Outcome>(std::move(end).error());
      return;
    }
  }
  // Under row locks: names what was refused, repeats what the database asked to repeat, and asks
  // the id what became of a commit of unknown fate.
  apply_pessimistic(context, request, doubt);
}

}  // namespace mizan::engine
