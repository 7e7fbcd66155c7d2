#include "cli/local_backend.hpp"

#include "base/assert.hpp"
#include "cli/journal_walk.hpp"
#include "json/cursor.hpp"

#include <map>
#include <utility>

namespace mizan::cli {
namespace {

class LocalReader final : public Reader {
 public:
  explicit LocalReader(std::unique_ptr<Snapshot> snapshot) noexcept
      : snapshot_(std::move(snapshot)) {}

  Result<std::optional<Wallet>> find_wallet(const WalletId& id) override {
    return snapshot_->find_wallet(id);
  }

  Result<std::optional<WorldWallet>> find_world(const CurrencyCode& code) override {
    return snapshot_->find_world(code);
  }

  Result<std::optional<Currency>> find_currency(const CurrencyCode& code) override {
    if (auto iso = find_iso_currency(code)) return iso;
    if (!registered_) {
      auto currencies = snapshot_->list_currencies();
      if (!currencies) return std::move(currencies).error();
      registered_.emplace();
      for (const Currency& currency : *currencies) {
        registered_->emplace(currency.code.str(), currency);
      }
    }
    const auto found = registered_->find(code.str());
    if (found == registered_->end()) return std::optional<Currency>{};
    return std::optional<Currency>{found->second};
  }

  Result<std::vector<Currency>> list_registered_currencies() override {
    return snapshot_->list_currencies();
  }

  Result<Page<Wallet, std::string>> list_wallets(const Cursor& cursor, std::size_t limit) override {
    std::optional<WalletId> after;
    if (cursor) {
      auto parsed = json::parse_wallets_cursor(*cursor);
      if (!parsed) return std::move(parsed).error();
      after = *parsed;
    }
    auto page = snapshot_->list_wallets(after, limit);
    if (!page) return std::move(page).error();
    Page<Wallet, std::string> answer{std::move(page->items), std::nullopt};
    if (page->next) answer.next = json::wallets_cursor(*page->next);
    return answer;
  }

  Result<std::optional<RecordedOperation>> find_operation(const OperationId& id) override {
    return snapshot_->find_operation(id);
  }

  Result<std::optional<Hold>> find_hold(const OperationId& id) override {
    return snapshot_->find_hold(id);
  }

  Result<Page<Entry, std::string>> list_entries(EntryQuery query, const Cursor& cursor) override {
    if (cursor) {
      auto before = json::parse_entries_cursor(*cursor, query.wallet);
      if (!before) return std::move(before).error();
      query.before_version = *before;
    }
    auto page = snapshot_->list_entries(query);
    if (!page) return std::move(page).error();
    Page<Entry, std::string> answer{std::move(page->items), std::nullopt};
    if (page->next) answer.next = json::entries_cursor(query.wallet, *page->next);
    return answer;
  }

  Result<std::optional<BalanceAt>> balance_at_time(const WalletId& id, Timestamp time) override {
    return snapshot_->balance_at_time(id, time);
  }

  Result<std::optional<BalanceAt>> balance_at_version(const WalletId& id,
                                                      std::uint64_t version) override {
    return snapshot_->balance_at_version(id, version);
  }

  Result<std::unique_ptr<Journal>> journal() override {
    return std::unique_ptr<Journal>(std::make_unique<JournalWalk>(*snapshot_));
  }

 private:
  std::unique_ptr<Snapshot> snapshot_;
  std::optional<std::map<std::string, Currency>> registered_;
};

class LocalBackend final : public Backend {
 public:
  LocalBackend(OpenLedger open, const Clock& clock) noexcept
      : open_(std::move(open)), clock_(clock) {}

  Result<std::unique_ptr<Reader>> read() override {
    auto snapshot = snapshot_at(*open_.store, clock_.wall_now());
    if (!snapshot) return std::move(snapshot).error();
    return std::unique_ptr<Reader>(std::make_unique<LocalReader>(std::move(*snapshot)));
  }

  Result<Outcome> apply(const Operation& operation, const CallOptions& options) override {
    return ledger().apply(operation, options);
  }

  std::vector<Result<Outcome>> apply_batch(std::span<const Operation> operations,
                                           const CallOptions& options) override {
    return ledger().apply_batch(operations, Atomicity::independent, options);
  }

  Result<WalletCreated> create_wallet(const NewWallet& wallet,
                                      const CallOptions& options) override {
    return ledger().create_wallet(wallet, options);
  }

  Result<std::variant<Wallet, Refusal>> patch_wallet(const WalletId& id,
                                                     const WalletPatch& patch,
                                                     const CallOptions& options) override {
    return ledger().patch_wallet(id, patch, options);
  }

  Result<bool> add_currency(const Currency& currency, const CallOptions& options) override {
    return ledger().add_currency(currency, options);
  }

  Result<EventPage> read_events(const EventQuery& query) override {
    return reading_ledger().read_events(query);
  }

  Result<EventPage> wait_for_events(const EventQuery& query, Deadline deadline) override {
    return reading_ledger().wait_for_events(query, deadline);
  }

 private:
  Ledger& ledger() {
    MIZAN_ASSERT(open_.ledger != nullptr);
    return *open_.ledger;
  }

  /// Beside an owner: what reads only needs no more than the store.
  Ledger& reading_ledger() {
    if (!open_.ledger)
      open_.ledger = std::make_unique<Ledger>(*open_.store, clock_, LedgerOptions{});
    return *open_.ledger;
  }

  OpenLedger open_;
  const Clock& clock_;
};

}  // namespace

Result<std::unique_ptr<Backend>> open_local_backend(const Context& context, Access access) {
  OpenLedger open;
  if (access == Access::read) {
    auto store = context.open_store(access);
    if (!store) return std::move(store).error();
    open.store = std::move(*store);
  } else {
    auto opened = open_ledger(context, access);
    if (!opened) return std::move(opened).error();
    open = std::move(*opened);
  }
  return std::unique_ptr<Backend>(std::make_unique<LocalBackend>(std::move(open), context.clock()));
}

}  // namespace mizan::cli
