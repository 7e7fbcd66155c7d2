#include "prover/checkers/image.hpp"

#include <memory>
#include <set>
#include <utility>

namespace mizan::prover {

namespace {

constexpr std::size_t page_size = 1'000;

Status read_wallets(Snapshot& snapshot, LedgerImage& image) {
  WalletNumber after{0};
  for (;;) {
    auto page = snapshot.read_states(after, page_size);
    if (!page) return page.error();
    for (const WalletState& state : page->items) {
      image.wallets.push_back({state.number,
                               state.id,
                               state.currency.code,
                               state.balance,
                               state.held,
                               state.min_balance,
                               state.version});
    }
    if (!page->next) return {};
    after = *page->next;
  }
}

Status read_journal(Snapshot& snapshot, LedgerImage& image) {
  Sequence after{0};
  for (;;) {
    auto page = snapshot.read_journal(after, page_size);
    if (!page) return page.error();
    for (const JournalLeg& leg : page->items) {
      image.journal.push_back({leg.sequence,
                               leg.operation,
                               leg.type,
                               leg.from,
                               leg.to,
                               leg.amount,
                               leg.from_balance,
                               leg.from_version,
                               leg.to_balance,
                               leg.to_version});
    }
    if (!page->next) return {};
    after = *page->next;
  }
}

Status read_holds(Snapshot& snapshot, LedgerImage& image) {
  std::optional<OperationId> after;
  for (;;) {
    auto page = snapshot.read_holds(after, page_size);
    if (!page) return page.error();
    for (HoldRecord& hold : page->items) image.holds.push_back(std::move(hold));
    if (!page->next) return {};
    after = page->next;
  }
}

Status read_worlds(Snapshot& snapshot, LedgerImage& image) {
  std::set<CurrencyCode> currencies;
  for (const WalletImage& wallet : image.wallets) currencies.insert(wallet.currency);
  for (const CurrencyCode& currency : currencies) {
    auto world = snapshot.find_world(currency);
    if (!world) return world.error();
    if (*world) image.worlds.emplace(currency, (*world)->balance);
  }
  return {};
}

Status read_operations(Snapshot& snapshot, std::span<const Call> calls, LedgerImage& image) {
  std::set<OperationId> asked;
  for (const Call& call : calls) {
    if (!asked.insert(call.operation.id).second) continue;
    auto record = snapshot.find_operation(call.operation.id);
    if (!record) return record.error();
    if (*record && (*record)->refusal == nullptr) {
      image.operations.emplace(call.operation.id, (*record)->receipt);
    }
  }
  return {};
}

}  // namespace

Result<LedgerImage> read_image(Store& store, std::span<const Call> calls, Timestamp now) {
  LedgerImage image;
  image.taken_at = now;
  auto snapshot = store.snapshot();
  if (!snapshot) return snapshot.error();
  Snapshot& view = **snapshot;
  for (const Status& status : {read_wallets(view, image),
                               read_journal(view, image),
                               read_holds(view, image),
                               read_worlds(view, image),
                               read_operations(view, calls, image)}) {
    if (!status) return status.error();
  }
  return image;
}

Result<Reading> read_group(Store& store,
                           std::span<const WalletId> wallets,
                           std::optional<WideUnits> expected_sum) {
  auto snapshot = store.snapshot();
  if (!snapshot) return snapshot.error();
  Reading reading;
  reading.expected_sum = expected_sum;
  for (const WalletId& id : wallets) {
    auto wallet = (*snapshot)->find_wallet(id);
    if (!wallet) return wallet.error();
    if (!*wallet) continue;
    auto at = (*snapshot)->balance_at_version(id, (*wallet)->version);
    if (!at) return at.error();
    const MinorUnits entry_balance = *at ? (*at)->balance : MinorUnits{0};
    reading.lines.push_back({id, (*wallet)->balance, entry_balance});
    reading.sum += (*wallet)->balance.value();
  }
  return reading;
}

}  // namespace mizan::prover
