#include "cli/journal_walk.hpp"

#include <fmt/format.h>

#include <utility>

namespace mizan::cli {
namespace {

constexpr std::size_t page_size = 10'000;
constexpr std::size_t sides_max = 500'000;

}  // namespace

Status JournalWalk::load_page() {
  page_.clear();
  at_ = 0;
  if (at_end_) return {};
  auto page = snapshot_.read_journal(after_, page_size);
  if (!page) return std::move(page).error();
  page_ = std::move(page->items);
  at_end_ = !page->next.has_value();
  if (page->next) after_ = *page->next;
  return {};
}

Result<JournalWalk::Side> JournalWalk::load_side(WalletNumber number) {
  const auto known = sides_.find(number);
  if (known != sides_.end()) return known->second;
  auto states = snapshot_.read_states(WalletNumber{number.value() - 1}, 1);
  if (!states) return std::move(states).error();
  if (states->items.empty() || states->items.front().number != number) {
    return internal_error("export",
                          fmt::format("the journal names wallet number {}, which does "
                                      "not exist; run `mizan verify`",
                                      number.value()));
  }
  if (sides_.size() >= sides_max) sides_.clear();
  const WalletState& state = states->items.front();
  return sides_.emplace(number, Side{state.id, state.currency}).first->second;
}

Status JournalWalk::add_leg(JournalOperation& operation, const JournalLeg& leg) {
  const bool from_world = leg.from == world_number;
  const bool to_world = leg.to == world_number;
  auto from = load_side(from_world ? leg.to : leg.from);
  if (!from) return std::move(from).error();
  auto to = load_side(to_world ? leg.from : leg.to);
  if (!to) return std::move(to).error();
  const Currency currency = from->currency;
  LegReceipt receipt{.from = from_world ? world_wallet(currency.code) : from->id,
                     .to = to_world ? world_wallet(currency.code) : to->id,
                     .amount = leg.amount,
                     .currency = currency.code,
                     .from_balance = {},
                     .from_version = {},
                     .to_balance = {},
                     .to_version = {}};
  if (!from_world) {
    receipt.from_balance = leg.from_balance;
    receipt.from_version = leg.from_version;
  }
  if (!to_world) {
    receipt.to_balance = leg.to_balance;
    receipt.to_version = leg.to_version;
  }
  operation.receipt.legs.push_back(receipt);
  operation.sequences.push_back(leg.sequence);
  operation.currencies.push_back(currency);
  return {};
}

Result<std::optional<JournalOperation>> JournalWalk::next() {
  std::optional<JournalOperation> operation;
  while (true) {
    if (at_ == page_.size()) {
      if (Status loaded = load_page(); !loaded) return std::move(loaded).error();
      if (page_.empty()) return operation;
    }
    const JournalLeg& leg = page_[at_];
    if (operation && operation->receipt.id != leg.operation) return operation;
    if (!operation) {
      operation.emplace();
      operation->receipt.id = leg.operation;
      operation->receipt.type = leg.type;
      operation->receipt.applied_at = leg.at;
      operation->receipt.metadata = leg.metadata;
    }
    if (Status added = add_leg(*operation, leg); !added) return std::move(added).error();
    ++at_;
  }
}

}  // namespace mizan::cli
