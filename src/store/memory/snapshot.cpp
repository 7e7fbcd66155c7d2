#include "store/memory/snapshot.hpp"

#include "store/memory/view.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace mizan::memory {
namespace {

Error bad_limit() {
  return invalid_request("memory: list", "the limit must be at least 1");
}

class MemorySnapshot final : public Snapshot {
 public:
  explicit MemorySnapshot(Tables& tables)
      : tables_(tables), view_(tables, register_reader(tables)) {}

  ~MemorySnapshot() override {
    const std::unique_lock lock(tables_.mutex);
    tables_.readers.erase(tables_.readers.find(view_.commit()));
  }

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    const std::shared_lock lock(tables_.mutex);
    const WalletRow* row = view_.find_row(id);
    if (row == nullptr) return std::optional<Wallet>();
    return std::optional(wallet_of(*row));
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& code) override {
    const std::shared_lock lock(tables_.mutex);
    std::optional<Currency> currency = find_iso_currency(code);
    if (!currency) currency = view_.find_currency(code);
    if (!currency) return std::optional<WorldWallet>();
    WorldWallet world{world_wallet(code), *currency, 0};
    for (const auto& wallet : tables_.wallets) {
      const WalletRow* row = wallet.at(view_.commit());
      if (row != nullptr && row->state.currency.code == code) {
        world.balance -= row->state.balance.value();
      }
    }
    return std::optional(world);
  }

  Result<Page<Wallet, WalletId>> list_wallets(std::optional<WalletId> after,
                                              std::size_t limit) override {
    if (limit == 0) return bad_limit();
    const std::shared_lock lock(tables_.mutex);
    Page<Wallet, WalletId> page;
    auto next = after ? tables_.wallet_numbers.upper_bound(*after) : tables_.wallet_numbers.begin();
    for (; next != tables_.wallet_numbers.end(); ++next) {
      const WalletRow* row = view_.find_row(next->second);
      if (row == nullptr) continue;
      if (page.items.size() == limit) {
        page.next = page.items.back().id;
        break;
      }
      page.items.push_back(wallet_of(*row));
    }
    return page;
  }

  Result<std::vector<std::optional<WalletState>>> load_wallets(
      std::span<const WalletId> ids) override {
    const std::shared_lock lock(tables_.mutex);
    std::vector<std::optional<WalletState>> states;
    states.reserve(ids.size());
    for (const WalletId& id : ids) {
      const WalletRow* row = view_.find_row(id);
      states.push_back(row == nullptr ? std::nullopt : std::optional(row->state));
    }
    return states;
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    const std::shared_lock lock(tables_.mutex);
    return view_.find_operation(id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    const std::shared_lock lock(tables_.mutex);
    const HoldRecord* record = view_.find_hold_record(id);
    if (record == nullptr) return std::optional<Hold>();
    return std::optional(view_.hold_of(*record));
  }

  Result<std::vector<DueHeld>> sum_due_holds(Timestamp now) override {
    const std::shared_lock lock(tables_.mutex);
    std::map<WalletId, MinorUnits> sums;
    for (const auto& [id, versions] : tables_.holds) {
      const HoldRecord* record = versions.at(view_.commit());
      if (record == nullptr || record->status != HoldStatus::open) continue;
      if (!record->expires_at || *record->expires_at > now) continue;
      MinorUnits& sum = sums[view_.find_row(record->wallet)->state.id];
      sum = MinorUnits{sum.value() + record->amount.value() - record->captured.value()};
    }
    std::vector<DueHeld> due;
    due.reserve(sums.size());
    for (const auto& [wallet, remaining] : sums) due.push_back({wallet, remaining});
    return due;
  }

  Result<Page<Entry, std::uint64_t>> list_entries(const EntryQuery& query) override {
    if (query.limit == 0) return bad_limit();
    const std::shared_lock lock(tables_.mutex);
    Page<Entry, std::uint64_t> page;
    const WalletRow* row = view_.find_row(query.wallet);
    if (row == nullptr) return page;
    std::uint64_t version = row->state.version;
    if (query.to) {
      // `to` is exclusive and the clock ticks in microseconds.
      version = view_.last_version_until(*row, *query.to - std::chrono::microseconds(1));
    }
    if (query.before_version && *query.before_version <= version) {
      version = *query.before_version == 0 ? 0 : *query.before_version - 1;
    }
    for (; version > 0; --version) {
      if (query.from && view_.entry_time(*row, version) < *query.from) break;
      if (page.items.size() == query.limit) {
        page.next = version + 1;
        break;
      }
      page.items.push_back(view_.entry(*row, version));
    }
    return page;
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    const std::shared_lock lock(tables_.mutex);
    const WalletRow* row = view_.find_row(id);
    if (row == nullptr) return std::optional<BalanceAt>();
    return std::optional(view_.balance_at(*row, view_.last_version_until(*row, time)));
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    const std::shared_lock lock(tables_.mutex);
    const WalletRow* row = view_.find_row(id);
    if (row == nullptr || version > row->state.version) return std::optional<BalanceAt>();
    return std::optional(view_.balance_at(*row, version));
  }

  Result<std::vector<Currency>> list_currencies() override {
    const std::shared_lock lock(tables_.mutex);
    std::vector<Currency> currencies;
    for (const auto& [code, row] : tables_.currencies) {
      if (row.since <= view_.commit()) currencies.push_back(row.currency);
    }
    return currencies;
  }

  Result<Page<JournalLeg, Sequence>> read_journal(Sequence after, std::size_t limit) override {
    if (limit == 0) return bad_limit();
    const std::shared_lock lock(tables_.mutex);
    Page<JournalLeg, Sequence> page;
    for (auto i = static_cast<std::size_t>(after.value()); i < tables_.journal.size(); ++i) {
      const JournalRow& row = tables_.journal[i];
      if (row.since > view_.commit()) break;
      if (page.items.size() == limit) {
        page.next = page.items.back().sequence;
        break;
      }
      page.items.push_back(row.leg);
    }
    return page;
  }

  Result<Page<WalletState, WalletNumber>> read_states(WalletNumber after,
                                                      std::size_t limit) override {
    if (limit == 0) return bad_limit();
    const std::shared_lock lock(tables_.mutex);
    Page<WalletState, WalletNumber> page;
    for (auto i = static_cast<std::size_t>(after.value()); i < tables_.wallets.size(); ++i) {
      const WalletRow* row = tables_.wallets[i].at(view_.commit());
      if (row == nullptr) continue;
      if (page.items.size() == limit) {
        page.next = page.items.back().number;
        break;
      }
      page.items.push_back(row->state);
    }
    return page;
  }

  Result<Page<HoldRecord, OperationId>> read_holds(std::optional<OperationId> after,
                                                   std::size_t limit) override {
    if (limit == 0) return bad_limit();
    const std::shared_lock lock(tables_.mutex);
    Page<HoldRecord, OperationId> page;
    auto next = after ? tables_.holds.upper_bound(*after) : tables_.holds.begin();
    for (; next != tables_.holds.end(); ++next) {
      const HoldRecord* record = next->second.at(view_.commit());
      if (record == nullptr) continue;
      if (page.items.size() == limit) {
        page.next = page.items.back().id;
        break;
      }
      page.items.push_back(*record);
    }
    return page;
  }

  Result<std::optional<WalletId>> wallet_id(WalletNumber number) override {
    const std::shared_lock lock(tables_.mutex);
    const WalletRow* row = view_.find_row(number);
    if (row == nullptr) return std::optional<WalletId>();
    return std::optional(row->state.id);
  }

 private:
  static CommitNumber register_reader(Tables& tables) {
    const std::unique_lock lock(tables.mutex);
    tables.readers.insert(tables.committed);
    return tables.committed;
  }

  Tables& tables_;
  View view_;
};

}  // namespace

std::unique_ptr<Snapshot> take_snapshot(Tables& tables) {
  return std::make_unique<MemorySnapshot>(tables);
}

}  // namespace mizan::memory
