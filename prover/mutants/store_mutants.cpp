#include "base/mutex.hpp"
#include "prover/mutants/forward.hpp"
#include "prover/mutants/mutants.hpp"
#include "prover/mutants/wrap.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace mizan::prover {

namespace {

/// Decides on an old read and then writes `balance = balance - ?`, without asking what stands there
/// now. (An absolute write of the old balance is refused by the store's own checks, and so is a
/// balance below the row's limit: the limit goes too.)
class GuardIgnored final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<std::vector<WalletNumber>> find_stale(std::span<const WalletState* const>) override {
    return std::vector<WalletNumber>{};
  }

  Result<WriteResult> write(Plan& plan) override {
    // Locked, so that the write itself never loses a race: the old read alone is what is wrong.
    auto states = current_states(base(), plan, LoadLock::update);
    if (!states) return states.error();
    for (PlannedOperation& operation : plan.operations) {
      for (PlannedLeg& leg : operation.legs) {
        if (leg.from != world_slot) {
          move((*states)[leg.from], -leg.amount.value(), leg.from_balance, leg.from_version);
        }
        if (leg.to != world_slot) {
          move((*states)[leg.to], leg.amount.value(), leg.to_balance, leg.to_version);
        }
      }
    }
    for (std::size_t index = 0; index < plan.wallets.size(); ++index) {
      WalletState now = (*states)[index];
      plan.wallets[index].revision_before = now.revision;
      now.revision += 1;
      now.held = plan.wallets[index].after.held;
      if (now.min_balance && now.balance.value() - now.held.value() < now.min_balance->value()) {
        now.min_balance = std::nullopt;
        now.revision += 1;  // A change of its own: stores write it only where there is one.
      }
      plan.wallets[index].after = now;
    }
    return base().write(plan);
  }

 private:
  static void move(WalletState& now,
                   std::int64_t change,
                   MinorUnits& balance,
                   std::uint64_t& version) {
    now.balance = MinorUnits{now.balance.value() + change};
    now.version += 1;
    balance = now.balance;
    version = now.version;
  }
};

/// The token is taken along and never compared.
class FenceNotAdvanced final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<std::optional<FenceMark>> load_fence(const Resource&) override {
    return std::optional<FenceMark>{};
  }

  Result<FenceAdvance> advance_fence(const Fence&) override {
    return FenceAdvance{FenceAccepted{}};
  }
};

/// The table of ids has no unique index: each repeat is new.
class ClaimForgets final : public ForwardingTransaction {
 public:
  ClaimForgets(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), shared_(shared) {}

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    auto known = base().claim(ids);
    if (!known) return known;
    for (const KnownOperation& operation : *known) known_.insert(*ids[operation.index]);
    known->clear();
    return known;
  }

  Result<WriteResult> write(Plan& plan) override {
    rename(plan);
    return base().write(plan);
  }

  Result<WriteResult> record(Plan& plan) override {
    rename(plan);
    return base().record(plan);
  }

 private:
  void rename(Plan& plan) {
    for (PlannedOperation& operation : plan.operations) {
      if (!known_.contains(operation.id)) continue;
      operation.id = OperationId{operation.id.str() + "~" + std::to_string(++shared_.renamed)};
    }
  }

  Shared& shared_;
  std::set<OperationId> known_;
};

/// The credit goes nowhere, and nobody looks at the row count. (A store that merely forgot the
/// credit is refused by its own checks; this one forgets it thoroughly.)
class LegDropped final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<WriteResult> write(Plan& plan) override {
    auto states = current_states(base(), plan);
    if (!states) return states.error();
    for (PlannedOperation& operation : plan.operations) {
      for (PlannedLeg& leg : operation.legs) {
        if (leg.from == world_slot || leg.to == world_slot) continue;
        leave_alone(plan.wallets[leg.to], (*states)[leg.to]);
        leg.to = world_slot;
        leg.to_balance = MinorUnits{0};
        leg.to_version = 0;
      }
    }
    return base().write(plan);
  }
};

/// Each leg in a transaction of its own.
class CommitInTheMiddle final : public ForwardingTransaction {
 public:
  CommitInTheMiddle(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), shared_(shared) {}

  Result<WriteResult> write(Plan& plan) override {
    if (plan.operations.size() != 1 || plan.operations.front().legs.size() < 2) {
      return base().write(plan);
    }
    auto states = current_states(base(), plan);
    if (!states) return states.error();
    PlannedOperation& operation = plan.operations.front();
    operation.legs.resize(1);
    const PlannedLeg& leg = operation.legs.front();
    for (std::size_t index = 0; index < plan.wallets.size(); ++index) {
      WalletState& after = plan.wallets[index].after;
      const WalletState& before = (*states)[index];
      const bool is_from = leg.from == index;
      const bool is_side = is_from || leg.to == index;
      after.balance = is_from ? leg.from_balance : (is_side ? leg.to_balance : before.balance);
      after.version = is_from ? leg.from_version : (is_side ? leg.to_version : before.version);
      plan.wallets[index].balance_changed = is_side;
    }
    auto written = base().write(plan);
    if (!written) return written;
    const Status committed = base().commit();
    if (!committed) return committed.error();
    if (shared_.on_step) shared_.on_step("between_legs");
    return internal_error("mutant", "the rest of the operation is not written");
  }

 private:
  Shared& shared_;
};

/// Answers first and commits when the next transaction comes.
class AckBeforeCommit final : public ForwardingTransaction {
 public:
  AckBeforeCommit(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), shared_(shared) {}

  Status commit() override {
    const MutexLock lock(shared_.mutex);
    shared_.acknowledged = release_base();
    return {};
  }

 private:
  Shared& shared_;
};

/// `UPDATE … FROM (batch)`: of several changes to one row the database applies one, and all are
/// acknowledged.
class BatchCollapses final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<WriteResult> write(Plan& plan) override {
    auto states = current_states(base(), plan);
    if (!states) return states.error();
    std::set<Slot> touched;
    const auto is_repeat = [&touched](const PlannedOperation& operation) {
      bool repeat = false;
      for (const PlannedLeg& leg : operation.legs) {
        for (const Slot slot : {leg.from, leg.to}) {
          if (slot != world_slot && !touched.insert(slot).second) repeat = true;
        }
      }
      return repeat;
    };
    std::vector<PlannedOperation> kept;
    for (PlannedOperation& operation : plan.operations) {
      if (!is_repeat(operation)) kept.push_back(std::move(operation));
    }
    plan.operations = std::move(kept);
    set_balances(plan, *states);
    return base().write(plan);
  }

 private:
  /// The wallets as the operations that are left leave them.
  static void set_balances(Plan& plan, const std::vector<WalletState>& states) {
    for (std::size_t index = 0; index < plan.wallets.size(); ++index) {
      leave_alone(plan.wallets[index], states[index]);
    }
    for (const PlannedOperation& operation : plan.operations) {
      for (const PlannedLeg& leg : operation.legs) {
        if (leg.from != world_slot) set(plan.wallets[leg.from], leg.from_balance, leg.from_version);
        if (leg.to != world_slot) set(plan.wallets[leg.to], leg.to_balance, leg.to_version);
      }
    }
  }

  static void set(WalletChange& change, MinorUnits balance, std::uint64_t version) {
    change.after.balance = balance;
    change.after.version = version;
    change.balance_changed = true;
  }
};

/// A replay that is computed anew instead of read back.
class ReceiptAltered final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    auto known = base().claim(ids);
    if (!known) return known;
    for (KnownOperation& operation : *known) {
      operation.recorded.receipt.applied_at += std::chrono::seconds(1);
    }
    return known;
  }
};

/// A timer that remembers what it was to end, and ends it whatever became of it.
class ExpiryUnguarded final : public ForwardingTransaction {
 public:
  ExpiryUnguarded(std::unique_ptr<Transaction> base, Shared& shared)
      : ForwardingTransaction(std::move(base)), shared_(shared) {}

  Result<WriteResult> write(Plan& plan) override {
    auto written = base().write(plan);
    const MutexLock lock(shared_.mutex);
    for (const PlannedOperation& operation : plan.operations) {
      if (operation.hold == nullptr || operation.hold->kind != HoldChange::Kind::create) continue;
      if (!operation.hold->after.expires_at) continue;
      shared_.created_holds.emplace(operation.hold->after.id, operation.hold->after);
    }
    return written;
  }

  Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) override {
    auto due = base().load_due_holds(now, limit);
    if (!due) return due;
    const MutexLock lock(shared_.mutex);
    std::erase_if(shared_.created_holds, [&due, now](const auto& created) {
      if (*created.second.expires_at > now) return false;
      const bool listed = std::any_of(due->begin(), due->end(), [&created](const HoldRecord& hold) {
        return hold.id == created.first;
      });
      if (!listed) due->push_back(created.second);
      return true;
    });
    return due;
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    std::vector<HoldChange> forced(holds.begin(), holds.end());
    for (HoldChange& change : forced) {
      auto stored = base().load_hold(change.after.id);
      if (!stored) return stored.error();
      if (!*stored) continue;
      change.status_before = (*stored)->status;
      change.captured_before = (*stored)->captured;
      change.after.captured = (*stored)->captured;
    }
    return base().write_expiry(forced, wallets);
  }

 private:
  Shared& shared_;
};

/// Amounts that went through a floating-point number on their way to the database.
class ThroughDouble final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<WriteResult> write(Plan& plan) override {
    for (PlannedOperation& operation : plan.operations) {
      for (PlannedLeg& leg : operation.legs) round(plan, leg);
    }
    return base().write(plan);
  }

 private:
  static void round(Plan& plan, PlannedLeg& leg) {
    const double rounded = static_cast<double>(leg.amount.value());
    if (rounded >= 9.2e18) return;
    const std::int64_t amount = static_cast<std::int64_t>(rounded);
    const std::int64_t lost = leg.amount.value() - amount;
    leg.amount = MinorUnits{amount};
    if (leg.from != world_slot) {
      leg.from_balance = MinorUnits{leg.from_balance.value() + lost};
      plan.wallets[leg.from].after.balance = leg.from_balance;
    }
    if (leg.to != world_slot) {
      leg.to_balance = MinorUnits{leg.to_balance.value() - lost};
      plan.wallets[leg.to].after.balance = leg.to_balance;
    }
  }
};

/// "Does it exist?", then "insert it": the second of two gets the database's complaint.
class InsertSurfaces final : public ForwardingTransaction {
 public:
  using ForwardingTransaction::ForwardingTransaction;

  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override {
    auto inserted = base().insert_wallet(wallet, now);
    if (inserted && !*inserted) return internal_error("mutant", "unique constraint violated");
    return inserted;
  }
};

class MutantStore final : public ForwardingStore {
 public:
  MutantStore(Store& store, Wrap wrap, StepHook on_step)
      : ForwardingStore(store), wrap_(std::move(wrap)) {
    shared_.on_step = std::move(on_step);
    shared_.store = &store;
  }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    {
      const MutexLock lock(shared_.mutex);
      if (shared_.acknowledged != nullptr) {
        const Status committed = shared_.acknowledged->commit();
        shared_.acknowledged.reset();
        if (!committed) return committed.error();
      }
    }
    auto transaction = base().begin(deadline);
    if (!transaction) return transaction;
    return wrap_(std::move(*transaction), shared_);
  }

 private:
  Wrap wrap_;
  Shared shared_;
};

}  // namespace

std::unique_ptr<Store> make_mutant_store(std::string_view name, Store& base, StepHook on_step) {
  std::map<std::string_view, Wrap> wraps = server_wraps();
  wraps.insert({
      {"guard-ignored", wrap_plain<GuardIgnored>()},
      {"fence-not-advanced", wrap_plain<FenceNotAdvanced>()},
      {"claim-forgets", wrap_shared<ClaimForgets>()},
      {"leg-dropped", wrap_plain<LegDropped>()},
      {"commit-in-the-middle", wrap_shared<CommitInTheMiddle>()},
      {"ack-before-commit", wrap_shared<AckBeforeCommit>()},
      {"batch-collapses", wrap_plain<BatchCollapses>()},
      {"receipt-altered", wrap_plain<ReceiptAltered>()},
      {"expiry-unguarded", wrap_shared<ExpiryUnguarded>()},
      {"through-double", wrap_plain<ThroughDouble>()},
      {"insert-surfaces", wrap_plain<InsertSurfaces>()},
  });
  const auto found = wraps.find(name);
  if (found == wraps.end()) return nullptr;
  return std::make_unique<MutantStore>(base, found->second, std::move(on_step));
}

}  // namespace mizan::prover
