#include "remote/remote_journal.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mizan::remote {
namespace {

constexpr std::size_t page_size = 1'000;

/// What happened to one wallet, oldest first, and how much of it is written out.
struct History {
  Currency currency;
  std::vector<OperationId> operations;  ///< Of the entries 1, 2, …
  std::uint64_t written = 0;
};

/// The entries that one operation made on one wallet.
struct Span {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

using Spans = std::unordered_map<WalletId, Span>;

void add_side(Spans& spans, const WalletId& wallet, const std::optional<std::uint64_t>& version) {
  if (!version) return;
  Span& span = spans[wallet];
  span.first = span.count == 0 ? *version : std::min(span.first, *version);
  ++span.count;
}

Spans spans_of(const Receipt& receipt) {
  Spans spans;
  for (const LegReceipt& leg : receipt.legs) {
    add_side(spans, leg.from, leg.from_version);
    add_side(spans, leg.to, leg.to_version);
  }
  return spans;
}

class RemoteJournal final : public cli::Journal {
 public:
  explicit RemoteJournal(cli::Reader& reader) noexcept : reader_(reader) {}

  Status load() {
    cli::Cursor cursor;
    do {
      auto page = reader_.list_wallets(cursor, page_size);
      if (!page) return std::move(page).error();
      for (const Wallet& wallet : page->items) {
        if (Status loaded = load_history(wallet); !loaded) return loaded;
      }
      cursor = std::move(page->next);
    } while (cursor);
    for (const auto& [wallet, history] : histories_) heads_.push_back(wallet);
    return {};
  }

  Result<std::optional<cli::JournalOperation>> next() override {
    for (const WalletId& wallet : std::exchange(heads_, {})) {
      if (Status considered = consider(wallet); !considered) return std::move(considered).error();
    }
    if (ready_.empty()) return std::optional<cli::JournalOperation>{};
    const auto first = ready_.begin();
    const auto known = receipts_.find(first->second);
    Receipt receipt = std::move(known->second);
    receipts_.erase(known);
    ready_.erase(first);
    for (const auto& [wallet, span] : spans_of(receipt)) {
      histories_.find(wallet)->second.written += span.count;
      heads_.push_back(wallet);
    }
    return std::optional(with_currencies(std::move(receipt)));
  }

 private:
  Status load_history(const Wallet& wallet) {
    History history{wallet.currency, {}, 0};
    EntryQuery query;
    query.wallet = wallet.id;
    query.limit = page_size;
    cli::Cursor cursor;
    do {
      auto page = reader_.list_entries(query, cursor);
      if (!page) return std::move(page).error();
      for (const Entry& entry : page->items) history.operations.push_back(entry.operation);
      cursor = std::move(page->next);
    } while (cursor);
    std::reverse(history.operations.begin(), history.operations.end());
    histories_.emplace(wallet.id, std::move(history));
    return {};
  }

  /// Is what comes next for this wallet the next for all its wallets?
  Status consider(const WalletId& wallet) {
    const History& history = histories_.find(wallet)->second;
    if (history.written >= history.operations.size()) return {};
    const OperationId& id = history.operations[history.written];
    auto known = receipts_.find(id);
    if (known == receipts_.end()) {
      auto found = reader_.find_operation(id);
      if (!found) return std::move(found).error();
      if (!*found || (*found)->refusal) {
        return internal_error("export", "an entry's operation is not recorded; verify the ledger");
      }
      known = receipts_.emplace(id, std::move((*found)->receipt)).first;
    }
    if (is_next(known->second)) ready_.emplace(known->second.applied_at, id);
    return {};
  }

  [[nodiscard]] bool is_next(const Receipt& receipt) const {
    const Spans spans = spans_of(receipt);
    return !spans.empty() && std::all_of(spans.begin(), spans.end(), [this](const auto& item) {
      const auto found = histories_.find(item.first);
      if (found == histories_.end()) return false;  // Made since the wallets were listed.
      const auto& [first, count] = item.second;
      const History& history = found->second;
      return first == history.written + 1 && first - 1 + count <= history.operations.size();
    });
  }

  [[nodiscard]] cli::JournalOperation with_currencies(Receipt receipt) const {
    cli::JournalOperation operation;
    for (const LegReceipt& leg : receipt.legs) {
      const bool from_world = !leg.from_version.has_value();
      const auto found = histories_.find(from_world ? leg.to : leg.from);
      operation.currencies.push_back(found == histories_.end() ? Currency{leg.currency, 0}
                                                               : found->second.currency);
    }
    operation.receipt = std::move(receipt);
    // A journal tells what happened, not what became of it.
    operation.receipt.hold = nullptr;
    operation.receipt.reverses = nullptr;
    operation.receipt.reversed_by = nullptr;
    return operation;
  }

  cli::Reader& reader_;
  std::unordered_map<WalletId, History> histories_;
  std::unordered_map<OperationId, Receipt> receipts_;  // Of what comes next for some wallet.
  std::set<std::pair<Timestamp, OperationId>> ready_;
  std::vector<WalletId> heads_;  // Whose next operation is to be looked at.
};

}  // namespace

Result<std::unique_ptr<cli::Journal>> read_journal(cli::Reader& reader) {
  auto journal = std::make_unique<RemoteJournal>(reader);
  if (Status loaded = journal->load(); !loaded) return std::move(loaded).error();
  return std::unique_ptr<cli::Journal>(std::move(journal));
}

}  // namespace mizan::remote
