#include "store/memory/transaction.hpp"

#include "store/memory/constraints.hpp"
#include "store/memory/guarded_delta.hpp"
#include "store/memory/plan_writer.hpp"
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

class MemoryTransaction final : public Transaction {
 public:
  MemoryTransaction(Tables& tables, WriterTurn& turn, const StepHook& on_step)
      : tables_(tables),
        turn_(turn),
        on_step_(on_step),
        writer_(tables),
        plan_writer_(tables, writer_) {
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

  Result<std::vector<KnownOperation>> claim(std::span<const OperationId* const> ids) override {
    if (state_ != State::open) return finished();
    std::vector<KnownOperation> known;
    {
      const std::shared_lock lock(tables_.mutex);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        auto recorded = view().find_operation(*ids[i]);
        if (recorded) known.push_back({i, std::move(*recorded)});
      }
    }
    step("claimed");
    return known;
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
    WriteStale stale = plan_writer_.find_stale(plan.wallets);
    auto recorded = record_operations(plan);
    // Entries that were decided on states that are gone cannot follow the last ones: the guard is
    // what failed, not the plan.
    if (!recorded && !stale.wallets.empty()) return WriteResult(std::move(stale));
    if (!is_done(recorded)) return recorded;
    return write_wallets(plan.wallets);
  }

  Result<WriteResult> record(Plan& plan) override {
    if (state_ != State::open) return finished();
    auto recorded = record_operations(plan);
    if (!is_done(recorded)) return recorded;
    return settle(plan_writer_.write_links(plan.wallets));
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
        if (auto what = broken_wallet(*after)) return fail(broken_constraint(*what));
        changes.push_back({*after, row->state.revision, delta.balance_change != MinorUnits{0}});
        plan_writer_.put_state(*row, *after);
      }
    }
    step("wallets_written");
    return DeltaResult(std::move(changes));
  }

  Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                   std::span<WalletChange> wallets) override {
    if (state_ != State::open) return finished();
    auto changed = settle(plan_writer_.change_holds(holds));
    if (!is_done(changed)) return changed;
    return write_wallets(wallets);
  }

  Result<bool> insert_wallet(const NewWallet& wallet, Timestamp now) override {
    if (state_ != State::open) return finished();
    const std::unique_lock lock(tables_.mutex);
    if (view().find_row(wallet.id) != nullptr) return false;
    std::optional<Currency> currency = find_iso_currency(wallet.currency);
    if (!currency) currency = view().find_currency(wallet.currency);
    if (!currency)
      return fail(broken_constraint("the currency " + wallet.currency.str() + " is unknown"));
    WalletRow row;
    row.state.id = wallet.id;
    row.state.currency = *currency;
    row.state.min_balance = wallet.min_balance;
    row.metadata = wallet.metadata;
    row.created_at = now;
    if (auto what = broken_wallet(row.state)) return fail(broken_constraint(*what));
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
    if (row == nullptr) return fail(broken_constraint("no such wallet"));
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
      if (auto what = writer_.broken_history()) return fail(broken_constraint(*what));
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

  [[nodiscard]] Error finished() const {
    return internal_error(
        "memory: transaction",
        state_ == State::committed ? "it is committed already" : "it can only be rolled back");
  }

  Error fail(Error error) {
    state_ = State::failed;
    return error;
  }

  static bool is_done(const Result<WriteResult>& result) {
    return result && std::holds_alternative<WritesDone>(*result);
  }

  /// A write that was not done leaves nothing but rolling back.
  Result<WriteResult> settle(Result<WriteResult> result) {
    if (!is_done(result)) state_ = State::failed;
    return result;
  }

  Result<WriteResult> record_operations(Plan& plan) {
    auto recorded = settle(plan_writer_.record_operations(plan));
    if (is_done(recorded)) step("operations_recorded");
    return recorded;
  }

  Result<WriteResult> write_wallets(std::span<const WalletChange> wallets) {
    auto written = settle(plan_writer_.write_wallets(wallets));
    step("wallets_written");
    return written;
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

  Tables& tables_;
  WriterTurn& turn_;
  const StepHook& on_step_;
  Writer writer_;
  PlanWriter plan_writer_;
  State state_ = State::open;
};

}  // namespace

std::unique_ptr<Transaction> begin_transaction(Tables& tables,
                                               WriterTurn& turn,
                                               const StepHook& on_step) {
  return std::make_unique<MemoryTransaction>(tables, turn, on_step);
}

}  // namespace mizan::memory
