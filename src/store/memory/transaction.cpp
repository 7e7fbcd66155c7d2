#include "store/memory/transaction.hpp"

#include "store/memory/constraints.hpp"
#include "store/memory/view.hpp"
#include "store/memory/writer.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace mizan::memory {
namespace {

/// A store's own jump length through a wallet's entries. This store reaches every entry by index
/// and keeps the links only because the port says what they mean.
constexpr std::uint64_t links_stride = 16;

Error broken(std::string what) {
  return internal_error("memory: constraint", std::move(what));
}

class MemoryTransaction final : public Transaction {
 public:
  MemoryTransaction(Tables& tables, WriterTurn& turn, const StepHook& on_step)
      : tables_(tables), turn_(turn), on_step_(on_step), writer_(tables) {
    step("begun");
  }

  ~MemoryTransaction() override {
    if (state_ == State::committed) return;
    {
      const std::unique_lock lock(tables_.mutex);
      writer_.roll_back();
    }
    turn_.give_back();
  }

  Result<std::vector<std::optional<RecordedOperation>>> claim(
      std::span<const OperationId* const> ids) override {
    if (state_ != State::open) return finished();
    std::vector<std::optional<RecordedOperation>> recorded;
    recorded.reserve(ids.size());
    {
      const std::shared_lock lock(tables_.mutex);
      for (const OperationId* id : ids) recorded.push_back(view().find_operation(*id));
    }
    step("claimed");
    return recorded;
  }

  Result<std::optional<FenceMark>> load_fence(const Resource& resource) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    const auto newest = tables_.fences.find(resource);
    if (newest == tables_.fences.end()) return std::optional<FenceMark>();
    return std::optional(FenceMark{newest->second.token, newest->second.owner});
  }

  Result<FenceAdvance> advance_fence(const Fence& fence) override {
    if (state_ != State::open) return finished();
    const std::unique_lock lock(tables_.mutex);
    const auto newest = tables_.fences.find(fence.resource);
    if (newest != tables_.fences.end()) {
      const Fence& held = newest->second;
      const bool same_holder =
          fence.token == held.token && fence.owner == held.owner && !fence.owner.empty();
      if (fence.token <= held.token && !same_holder) return FenceAdvance(FenceStale{held.token});
    }
    writer_.put_fence(fence);
    return FenceAdvance(FenceAccepted{});
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(std::span<const WalletId> ids,
                                                               LoadLock /*lock*/) override {
    return load(ids);
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets_by_number(
      std::span<const WalletNumber> numbers, LoadLock /*lock*/) override {
    return load(numbers);
  }

  Result<std::vector<WalletNumber>> find_stale(
      std::span<const WalletState* const> states) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    std::vector<WalletNumber> stale;
    for (const WalletState* state : states) {
      const WalletRow* row = view().find_row(state->number);
      if (row == nullptr || row->state.revision != state->revision) stale.push_back(state->number);
    }
    return stale;
  }

  Result<std::optional<HoldRecord>> load_hold(const OperationId& id) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    const HoldRecord* record = view().find_hold_record(id);
    if (record == nullptr) return std::optional<HoldRecord>();
    return std::optional(*record);
  }

  Result<std::optional<ReversibleOperation>> load_reversible(const OperationId& id) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    const OperationRow* row = view().find_operation_row(id);
    if (row == nullptr || row->refusal) return std::optional<ReversibleOperation>();
    ReversibleOperation reversible;
    reversible.type = row->type;
    reversible.legs = view().leg_receipts(*row);
    reversible.reversed = view().find_reversal(id) != nullptr;
    return std::optional(std::move(reversible));
  }

  Result<std::vector<HoldRecord>> load_due_holds(Timestamp now, std::size_t limit) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    std::vector<HoldRecord> due;
    for (const auto& [id, versions] : tables_.holds) {
      const HoldRecord* record = versions.at(view().commit());
      if (record != nullptr && record->status == HoldStatus::open && record->expires_at &&
          *record->expires_at <= now) {
        due.push_back(*record);
      }
    }
    std::stable_sort(due.begin(), due.end(), [](const HoldRecord& a, const HoldRecord& b) {
      return *a.expires_at < *b.expires_at;
    });
    if (due.size() > limit) due.resize(limit);
    return due;
  }

  Result<WriteResult> write(Plan& plan) override {
    if (state_ != State::open) return finished();
    WriteStale stale = stale_among(plan.wallets);
    auto recorded = record_operations(plan);
    // Entries that were decided on states that are gone cannot follow the last ones: the guard is
    // what failed, not the plan.
    if (!recorded && !stale.wallets.empty()) return refuse(std::move(stale));
    if (!recorded || !std::holds_alternative<WritesDone>(*recorded)) return recorded;
    auto written = write_wallets(plan.wallets);
    step("wallets_written");
    return written;
  }

  Result<WriteResult> record(Plan& plan) override {
    auto recorded = record_operations(plan);
    if (!recorded || !std::holds_alternative<WritesDone>(*recorded)) return recorded;
    const std::unique_lock lock(tables_.mutex);
    for (const WalletChange& change : plan.wallets) {
      const WalletRow* row = view().find_row(change.after.number);
      if (row == nullptr) return fail(broken("a leg names a wallet that is not there"));
      WalletRow linked = *row;
      linked.state.links = change.after.links;
      linked.state.last_entry_at = change.after.last_entry_at;
      writer_.put_wallet(std::move(linked));
    }
    return recorded;
  }

  Result<DeltaResult> apply_deltas(std::span<const GuardedDelta> deltas) override {
    if (state_ != State::open) return finished();
    std::vector<WalletChange> changes;
    changes.reserve(deltas.size());
    {
      const std::unique_lock lock(tables_.mutex);
      for (const GuardedDelta& delta : deltas) {
        const WalletRow* row = view().find_row(delta.wallet);
        std::optional<WalletState> after;
        if (row != nullptr) after = state_after(row->state, delta);
        if (!after) return DeltaResult(DeltaRefused{changes.size()});
        if (auto what = broken_wallet(*after)) return fail(broken(*what));
        changes.push_back({*after, row->state.revision, delta.balance_change != MinorUnits{0}});
        put_state(*row, *after);
      }
    }
    step("wallets_written");
    return DeltaResult(std::move(changes));
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    if (state_ != State::open) return finished();
    {
      const std::unique_lock lock(tables_.mutex);
      for (const HoldChange& hold : holds) {
        auto changed = change_hold(hold, hold.after.id);
        if (!changed || !std::holds_alternative<WritesDone>(*changed)) return changed;
      }
    }
    return write_wallets(wallets);
  }

  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override {
    if (state_ != State::open) return finished();
    const std::unique_lock lock(tables_.mutex);
    if (view().find_row(wallet.id) != nullptr) return false;
    std::optional<Currency> currency = find_iso_currency(wallet.currency);
    if (!currency) currency = view().find_currency(wallet.currency);
    if (!currency) return fail(broken("the currency " + wallet.currency.str() + " is unknown"));
    WalletRow row;
    row.state.id = wallet.id;
    row.state.currency = *currency;
    row.state.min_balance = wallet.min_balance;
    row.metadata = wallet.metadata;
    row.created_at = now;
    if (auto what = broken_wallet(row.state)) return fail(broken(*what));
    writer_.insert_wallet(wallet.id, std::move(row));
    return true;
  }

  Result<Wallet> load_wallet_details(const WalletState& state) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    const WalletRow* row = view().find_row(state.number);
    if (row == nullptr) return internal_error("memory: load_wallet_details", "no such wallet");
    WalletRow asked = *row;
    asked.state = state;
    return wallet_of(asked);
  }

  Status update_metadata(WalletNumber wallet, const Metadata& metadata) override {
    if (state_ != State::open) return finished();
    const std::unique_lock lock(tables_.mutex);
    const WalletRow* row = view().find_row(wallet);
    if (row == nullptr) return fail(broken("no such wallet"));
    WalletRow changed = *row;
    changed.metadata = metadata;
    writer_.put_wallet(std::move(changed));
    return {};
  }

  Result<bool> insert_currency(const Currency& currency) override {
    if (state_ != State::open) return finished();
    const std::unique_lock lock(tables_.mutex);
    if (view().find_currency(currency.code)) return false;
    writer_.insert_currency(currency);
    return true;
  }

  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override {
    if (state_ != State::open) return finished();
    const std::shared_lock lock(tables_.mutex);
    return view().find_currency(code);
  }

  Status commit() override {
    if (state_ != State::open) return finished();
    step("before_commit");
    {
      const std::unique_lock lock(tables_.mutex);
      if (auto what = writer_.broken_history()) return fail(broken(*what));
      writer_.commit();
    }
    state_ = State::committed;
    turn_.give_back();
    step("after_commit");
    return {};
  }

 private:
  enum class State : std::uint8_t { open, failed, committed };

  [[nodiscard]] const View& view() const noexcept { return writer_.view(); }

  void step(std::string_view name) const {
    if (on_step_) on_step_(name);
  }

  Error finished() const {
    return internal_error(
        "memory: transaction",
        state_ == State::committed ? "it is committed already" : "it can only be rolled back");
  }

  Error fail(Error error) {
    state_ = State::failed;
    return error;
  }

  Result<WriteResult> refuse(WriteResult result) {
    state_ = State::failed;
    return result;
  }

  template <class Key>
  Result<std::vector<std::optional<WalletState>>> load(std::span<const Key> keys) {
    if (state_ != State::open) return finished();
    std::vector<std::optional<WalletState>> states;
    states.reserve(keys.size());
    {
      const std::shared_lock lock(tables_.mutex);
      for (const Key& key : keys) {
        const WalletRow* row = view().find_row(key);
        states.push_back(row == nullptr ? std::nullopt : std::optional(row->state));
      }
    }
    step("loaded");
    return states;
  }

  /// Operations, legs, holds and reversals; fills in the links of the plan's wallets.
  Result<WriteResult> record_operations(Plan& plan) {
    if (state_ != State::open) return finished();
    {
      const std::unique_lock lock(tables_.mutex);
      for (WalletChange& wallet : plan.wallets) {
        const WalletRow* row = view().find_row(wallet.after.number);
        if (row == nullptr) return refuse(WriteStale{{wallet.after.number}});
        wallet.after.links = row->state.links;
      }
      for (const PlannedOperation& operation : plan.operations) {
        auto recorded = record_operation(operation, plan.wallets);
        if (!recorded || !std::holds_alternative<WritesDone>(*recorded)) return recorded;
      }
    }
    step("operations_recorded");
    return WriteResult(WritesDone{});
  }

  Result<WriteResult> record_operation(const PlannedOperation& operation,
                                       std::vector<WalletChange>& wallets) {
    if (view().find_operation_row(operation.id) != nullptr) {
      return refuse(WriteDuplicate{operation.id});
    }
    OperationRow row;
    row.fingerprint = operation.fingerprint;
    row.type = operation.type;
    row.at = operation.at;
    row.refusal = operation.refusal;
    if (operation.refusal) {
      writer_.insert_operation(operation.id, std::move(row));
      return WriteResult(WritesDone{});
    }
    row.metadata = operation.metadata;
    row.first_leg = tables_.journal.size();
    row.leg_count = operation.legs.size();
    if (operation.hold) row.hold = operation.hold->after.id;
    if (operation.reverses) {
      if (view().find_reversal(*operation.reverses) != nullptr) {
        return refuse(WriteDuplicate{operation.id});
      }
      row.reverses = *operation.reverses;
      writer_.insert_reversal(*operation.reverses, operation.id);
    }
    writer_.insert_operation(operation.id, std::move(row));
    for (const PlannedLeg& leg : operation.legs) {
      if (auto what = append_leg(operation, leg, wallets)) return fail(broken(*what));
    }
    if (operation.hold) return change_hold(*operation.hold, operation.id);
    return WriteResult(WritesDone{});
  }

  std::optional<std::string> append_leg(const PlannedOperation& operation,
                                        const PlannedLeg& leg,
                                        std::vector<WalletChange>& wallets) {
    if (leg.amount <= MinorUnits{0}) return "a leg's amount is not positive";
    if (leg.from == leg.to) return "a leg from a wallet to itself";
    WalletState* from = leg.from == world_slot ? nullptr : &wallets.at(leg.from).after;
    WalletState* to = leg.to == world_slot ? nullptr : &wallets.at(leg.to).after;
    JournalLeg row;
    row.operation = operation.id;
    row.type = operation.type;
    row.at = operation.at;
    row.amount = leg.amount;
    row.metadata = operation.metadata;
    if (from != nullptr) {
      row.from = from->number;
      row.from_balance = leg.from_balance;
      row.from_version = leg.from_version;
      row.from_links = from->links;
      const MinorUnits change{-leg.amount.value()};
      if (auto what = broken_entry(
              tables_, {from->number, leg.from_version, change, leg.from_balance, operation.at})) {
        return what;
      }
    }
    if (to != nullptr) {
      row.to = to->number;
      row.to_balance = leg.to_balance;
      row.to_version = leg.to_version;
      row.to_links = to->links;
      if (auto what = broken_entry(
              tables_, {to->number, leg.to_version, leg.amount, leg.to_balance, operation.at})) {
        return what;
      }
    }
    const Sequence sequence = writer_.append_leg(std::move(row));
    if (from != nullptr) link(*from, sequence, leg.from_version);
    if (to != nullptr) link(*to, sequence, leg.to_version);
    return std::nullopt;
  }

  static void link(WalletState& state, Sequence sequence, std::uint64_t version) {
    state.links.head = sequence;
    if (version % links_stride == 0) state.links.block = sequence;
  }

  Result<WriteResult> change_hold(const HoldChange& change, const OperationId& operation) {
    const HoldRecord* record = view().find_hold_record(change.after.id);
    if (change.kind == HoldChange::Kind::create) {
      if (record != nullptr) return refuse(WriteDuplicate{operation});
    } else if (record == nullptr || record->status != change.status_before ||
               record->captured != change.captured_before) {
      return refuse(WriteStale{{change.after.wallet}});
    }
    if (auto what = broken_hold(change.after)) return fail(broken(*what));
    writer_.put_hold(change.after);
    return WriteResult(WritesDone{});
  }

  [[nodiscard]] WriteStale stale_among(std::span<const WalletChange> changes) const {
    const std::shared_lock lock(tables_.mutex);
    WriteStale stale;
    for (const WalletChange& change : changes) {
      const WalletRow* row = view().find_row(change.after.number);
      if (row == nullptr || row->state.revision != change.revision_before) {
        stale.wallets.push_back(change.after.number);
      }
    }
    return stale;
  }

  Result<WriteResult> write_wallets(std::span<const WalletChange> changes) {
    WriteStale stale = stale_among(changes);
    if (!stale.wallets.empty()) return refuse(std::move(stale));
    const std::unique_lock lock(tables_.mutex);
    for (const WalletChange& change : changes) {
      if (change.after.revision <= change.revision_before) {
        return fail(broken("a write that does not move the revision on"));
      }
      if (auto what = broken_wallet(change.after)) return fail(broken(*what));
      put_state(*view().find_row(change.after.number), change.after);
    }
    return WriteResult(WritesDone{});
  }

  void put_state(const WalletRow& row, const WalletState& state) {
    WalletRow changed = row;
    changed.state = state;
    // What a row is called and holds never changes.
    changed.state.id = row.state.id;
    changed.state.currency = row.state.currency;
    writer_.put_wallet(std::move(changed));
  }

  /// The state after the delta, or nothing where it refuses itself.
  static std::optional<WalletState> state_after(const WalletState& before,
                                                const GuardedDelta& delta) {
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

  Tables& tables_;
  WriterTurn& turn_;
  const StepHook& on_step_;
  Writer writer_;
  State state_ = State::open;
};

}  // namespace

std::unique_ptr<Transaction> begin_transaction(Tables& tables,
                                               WriterTurn& turn,
                                               const StepHook& on_step) {
  return std::make_unique<MemoryTransaction>(tables, turn, on_step);
}

}  // namespace mizan::memory
