#include "mizan/ledger.hpp"
#include "mizan/reads.hpp"

#include "domain/decide.hpp"

#include <unordered_map>
#include <utility>

namespace mizan {
namespace {

/// Shows wallets and holds as of a moment and passes everything else on.
class ShownSnapshot final : public Snapshot {
 public:
  ShownSnapshot(std::unique_ptr<Snapshot> stored, Timestamp now)
      : stored_(std::move(stored)), now_(now) {}

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    auto wallet = stored_->find_wallet(id);
    if (!wallet || !*wallet) return wallet;
    auto shown = show(**std::move(wallet));
    if (!shown) return std::move(shown).error();
    return std::optional(*std::move(shown));
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& currency) override {
    return stored_->find_world(currency);
  }

  Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                              std::size_t limit) override {
    auto page = stored_->list_wallets(after, limit);
    if (!page) return page;
    for (Wallet& wallet : page->items) {
      auto shown = show(std::move(wallet));
      if (!shown) return std::move(shown).error();
      wallet = *std::move(shown);
    }
    return page;
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids) override {
    return stored_->load_wallets(ids);
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    return stored_->find_operation(id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    auto hold = stored_->find_hold(id);
    if (!hold || !*hold) return hold;
    return std::optional(domain::shown_at(**std::move(hold), now_));
  }

  Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) override {
    return stored_->sum_due_holds(now);
  }

  Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) override {
    return stored_->list_entries(query);
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    return stored_->balance_at_time(id, time);
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    return stored_->balance_at_version(id, version);
  }

  Result<std::vector<Currency>> list_currencies() override { return stored_->list_currencies(); }

  Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) override {
    return stored_->read_journal(after, limit);
  }

  Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                      std::size_t limit) override {
    return stored_->read_states(after, limit);
  }

  Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                   std::size_t limit) override {
    return stored_->read_holds(after, limit);
  }

  Result<std::optional<WalletId>> wallet_id(WalletNumber number) override {
    return stored_->wallet_id(number);
  }

 private:
  Result<Wallet> show(Wallet wallet) {
    if (wallet.held == MinorUnits{0}) return wallet;
    if (Status loaded = load_due(); !loaded) return std::move(loaded).error();
    const auto due = due_->find(wallet.id);
    if (due == due_->end()) return wallet;
    return domain::without_due_holds(std::move(wallet), due->second);
  }

  /// Once, and only where a wallet has anything held.
  Status load_due() {
    if (due_) return {};
    auto sums = stored_->sum_due_holds(now_);
    if (!sums) return std::move(sums).error();
    due_.emplace();
    for (const DueHeld& due : *sums) due_->emplace(due.wallet, due.remaining);
    return {};
  }

  std::unique_ptr<Snapshot> stored_;
  Timestamp now_;
  std::optional<std::unordered_map<WalletId, MinorUnits>> due_;
};

}  // namespace

Result<std::unique_ptr<Snapshot>> snapshot_at(Store& store, Timestamp now) {
  auto stored = store.snapshot();
  if (!stored) return stored;
  return std::unique_ptr<Snapshot>(std::make_unique<ShownSnapshot>(*std::move(stored), now));
}

Result<std::unique_ptr<Snapshot>> snapshot_until(Store& store, Timestamp now, Deadline deadline) {
  auto stored = stored_snapshot_until(store, deadline);
  if (!stored) return stored;
  return std::unique_ptr<Snapshot>(std::make_unique<ShownSnapshot>(*std::move(stored), now));
}

}  // namespace mizan
