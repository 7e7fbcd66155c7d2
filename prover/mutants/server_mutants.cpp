// Mutants that need several writers at once: deadlocks, waits for locks, old snapshots.

#include "mizan/clock.hpp"

#include "prover/mutants/wrap.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mizan::prover {

namespace {

using std::chrono::milliseconds;

bool is_for_another_try(const Error& error) {
  return error.code == Code::contended && error.retry == Retry::now;
}

/// Locks the wallets one by one, as the request names them, and gives another transaction the time
/// to do the same.
class LocksUnordered final : public ForwardingTransaction {
 public:
  LocksUnordered(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), shared_(shared) {}

  Result<WriteResult> write(Plan& plan) override {
    for (const PlannedOperation& operation : plan.operations) {
      for (const PlannedLeg& leg : operation.legs) {
        if (leg.from == world_slot || leg.to == world_slot) continue;
        if (const Status locked = lock(plan.wallets[leg.from]); !locked) return locked.error();
        shared_.first_lock.meet(milliseconds{500});
        if (const Status locked = lock(plan.wallets[leg.to]); !locked) return locked.error();
      }
    }
    return base().write(plan);
  }

 private:
  Status lock(const WalletChange& change) {
    const WalletNumber numbers[] = {change.after.number};
    const auto loaded = base().load_wallets_by_number(numbers, LoadLock::update);
    return loaded ? Status() : Status(loaded.error());
  }

  Shared& shared_;
};

/// What a write that failed had done before is gone, or is kept although the rest is missing.
class HalfWritten : public ForwardingTransaction {
 public:
  HalfWritten(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), shared_(shared) {}

  Result<WriteResult> write(Plan& plan) override {
    auto written = base().write(plan);
    if (written || !is_for_another_try(written.error())) return written;
    replace_base(nullptr);
    auto fresh = shared_.store->begin(system_clock().now() + std::chrono::seconds{10});
    if (!fresh) return fresh.error();
    replace_base(std::move(*fresh));
    auto states = current_states(base(), plan);
    if (!states) return states.error();
    for (std::size_t index = 0; index < states->size(); ++index) {
      plan.wallets[index].after.links = (*states)[index].links;  // Those of the write that failed.
    }
    for (PlannedOperation& operation : plan.operations) {
      for (PlannedLeg& leg : operation.legs) drop_a_side(plan, leg, *states);
    }
    auto half = base().write(plan);
    restore(plan);
    return half;
  }

 protected:
  /// The caller finds the plan's wallets where it put them.
  virtual void restore(Plan& /*plan*/) {}

  virtual void drop_a_side(Plan& plan, PlannedLeg& leg, const std::vector<WalletState>& states) = 0;

 private:
  Shared& shared_;
};

/// The debit went with the transaction; the credit comes after it, in a transaction of its own.
class GoesOnAfterRollback final : public HalfWritten {
 public:
  using HalfWritten::HalfWritten;

 protected:
  void drop_a_side(Plan& plan, PlannedLeg& leg, const std::vector<WalletState>& states) override {
    if (leg.from == world_slot || leg.to == world_slot) return;
    leave_alone(plan.wallets[leg.from], states[leg.from]);
    leg.from = world_slot;
    leg.from_balance = MinorUnits{0};
    leg.from_version = 0;
  }
};

/// The credit waited in vain, and what was done before it is committed.
class TimeoutCommits final : public HalfWritten {
 public:
  using HalfWritten::HalfWritten;

 protected:
  void drop_a_side(Plan& plan,
                   PlannedLeg& leg,
                   const std::vector<WalletState>& /*states*/) override {
    if (leg.from == world_slot || leg.to == world_slot) return;
    const Slot gone = std::exchange(leg.to, world_slot);
    leg.to_balance = MinorUnits{0};
    leg.to_version = 0;
    // Somebody holds its row: it is not touched again.
    erased_.emplace_back(gone, plan.wallets[gone]);
    plan.wallets.erase(plan.wallets.begin() + gone);
    for (PlannedOperation& operation : plan.operations) {
      for (PlannedLeg& each : operation.legs) close_gap(each, gone);
    }
  }

  void restore(Plan& plan) override {
    for (; !erased_.empty(); erased_.pop_back()) {
      const auto& [place, change] = erased_.back();
      plan.wallets.insert(plan.wallets.begin() + place, change);
    }
  }

 private:
  static void close_gap(PlannedLeg& leg, Slot gone) {
    for (Slot* slot : {&leg.from, &leg.to}) {
      if (*slot != world_slot && *slot > gone) *slot -= 1;
    }
  }

  std::vector<std::pair<Slot, WalletChange>> erased_;
};

/// What the database asks to run again is answered as a failure.
class DeadlockSurfaces final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<WriteResult> write(Plan& plan) override {
    auto written = base().write(plan);
    if (written || !is_for_another_try(written.error())) return written;
    return internal_error("mutant", written.error().detail);
  }
};

/// The same for a COMMIT: another node's change of the same rows came before it.
class ConflictSurfaces final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Status commit() override {
    Status committed = base().commit();
    if (committed || !is_for_another_try(committed.error())) return committed;
    return internal_error("mutant", committed.error().detail);
  }
};

/// `SET balance = (SELECT …) - ?`: arithmetic on what a snapshot says, written to a row that went
/// on meanwhile.
class BalanceFromSnapshot final : public ForwardingTransaction {
 public:
  BalanceFromSnapshot(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), snapshot_(shared.store->snapshot()) {}

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    // Some databases take the snapshot at its first question.
    if (snapshot_) static_cast<void>((*snapshot_)->list_currencies());
    return base().claim(ids);
  }

  Result<WriteResult> write(Plan& plan) override {
    if (!snapshot_) return snapshot_.error();
    auto states = current_states(base(), plan, LoadLock::update);
    if (!states) return states.error();
    for (PlannedOperation& operation : plan.operations) {
      for (PlannedLeg& leg : operation.legs) move_by(leg, *states);
    }
    for (std::size_t index = 0; index < plan.wallets.size(); ++index) {
      auto missed = what_the_snapshot_missed(plan.wallets[index], (*states)[index]);
      if (!missed) return missed.error();
      WalletState after = (*states)[index];
      plan.wallets[index].revision_before = after.revision;
      after.revision += 1;
      after.balance = MinorUnits{after.balance.value() - *missed};
      plan.wallets[index].after = after;
    }
    return base().write(plan);
  }

 private:
  static void move_by(PlannedLeg& leg, std::vector<WalletState>& states) {
    const std::int64_t amount = leg.amount.value();
    if (leg.from != world_slot) {
      move(states[leg.from], -amount, leg.from_balance, leg.from_version);
    }
    if (leg.to != world_slot) move(states[leg.to], amount, leg.to_balance, leg.to_version);
  }

  static void move(WalletState& now,
                   std::int64_t change,
                   MinorUnits& balance,
                   std::uint64_t& version) {
    now.balance = MinorUnits{now.balance.value() + change};
    now.version += 1;
    balance = now.balance;
    version = now.version;
  }

  /// `after` is the row with this plan's changes; the planned one minus them is what was read.
  Result<std::int64_t> what_the_snapshot_missed(const WalletChange& change,
                                                const WalletState& after) {
    const WalletId ids[] = {change.after.id};
    const auto seen = (*snapshot_)->load_wallets(ids);
    if (!seen) return seen.error();
    if (!seen->front()) return std::int64_t{0};
    const WalletNumber numbers[] = {after.number};
    const auto stored = base().load_wallets_by_number(numbers, LoadLock::none);
    if (!stored) return stored.error();
    return (*stored)[0]->balance.value() - (*seen)[0]->balance.value();
  }

  Result<std::unique_ptr<Snapshot>> snapshot_;
};

/// What a decision only read is not looked at again, or not locked.
class ReadsUnguarded final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<std::vector<std::optional<WalletState>>> load_wallets_by_number(
      std::span<const WalletNumber> numbers, LoadLock /*lock*/) override {
    return base().load_wallets_by_number(numbers, LoadLock::none);
  }

  Result<std::vector<WalletNumber>> find_stale(std::span<const WalletState* const>) override {
    return std::vector<WalletNumber>{};
  }
};

}  // namespace

std::map<std::string_view, Wrap> server_wraps() {
  return {{"locks-unordered", wrap_shared<LocksUnordered>()},
          {"goes-on-after-rollback", wrap_shared<GoesOnAfterRollback>()},
          {"timeout-commits", wrap_shared<TimeoutCommits>()},
          {"deadlock-surfaces", wrap_plain<DeadlockSurfaces>()},
          {"conflict-surfaces", wrap_plain<ConflictSurfaces>()},
          {"balance-from-snapshot", wrap_shared<BalanceFromSnapshot>()},
          {"reads-unguarded", wrap_plain<ReadsUnguarded>()}};
}

}  // namespace mizan::prover
