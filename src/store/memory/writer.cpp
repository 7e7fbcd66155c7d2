#include "store/memory/writer.hpp"

#include "store/memory/constraints.hpp"

#include <utility>

namespace mizan::memory {

void Writer::put_wallet(WalletRow row) {
  const std::size_t index = index_of(row.state.number);
  touched_.insert(row.state.number);
  auto before = tables_.wallets[index].put(view_.commit(), std::move(row), tables_.oldest_reader());
  undo_.push_back([index, before = std::move(before)](Tables& tables) {
    tables.wallets[index].undo_put(before);
  });
}

void Writer::put_hold(const HoldRecord& record) {
  auto before = tables_.holds[record.id].put(view_.commit(), record, tables_.oldest_reader());
  undo_.push_back([id = record.id, before](Tables& tables) { tables.holds[id].undo_put(before); });
}

void Writer::put_fence(const Fence& fence) {
  const auto found = tables_.fences.find(fence.resource);
  if (found == tables_.fences.end()) {
    undo_.push_back([resource = fence.resource](Tables& tables) { tables.fences.erase(resource); });
  } else {
    undo_.push_back([before = found->second](Tables& tables) {
      tables.fences.insert_or_assign(before.resource, before);
    });
  }
  tables_.fences.insert_or_assign(fence.resource, fence);
}

void Writer::insert_wallet(const WalletId& id, WalletRow row) {
  row.state.number = WalletNumber{static_cast<std::int64_t>(tables_.wallets.size()) + 1};
  tables_.wallet_numbers.emplace(id, row.state.number);
  tables_.histories.emplace_back();
  tables_.wallets.emplace_back();
  undo_.push_back([id](Tables& tables) {
    tables.wallets.pop_back();
    tables.histories.pop_back();
    tables.wallet_numbers.erase(id);
  });
  put_wallet(std::move(row));
}

void Writer::insert_currency(const Currency& currency) {
  tables_.currencies.emplace(currency.code, CurrencyRow{view_.commit(), currency});
  undo_.push_back([code = currency.code](Tables& tables) { tables.currencies.erase(code); });
}

void Writer::insert_operation(const OperationId& id, OperationRow row) {
  row.since = view_.commit();
  tables_.operations.emplace(id, std::move(row));
  tables_.operation_order.push_back(id);
  undo_.push_back([id](Tables& tables) {
    tables.operation_order.pop_back();
    tables.operations.erase(id);
  });
}

void Writer::insert_reversal(const OperationId& reversed, const OperationId& reversed_by) {
  tables_.reversals.emplace(reversed, ReversalRow{view_.commit(), reversed_by});
  undo_.push_back([reversed](Tables& tables) { tables.reversals.erase(reversed); });
}

Sequence Writer::append_leg(JournalLeg leg) {
  const std::size_t position = tables_.journal.size();
  const WalletNumber from = leg.from;
  const WalletNumber to = leg.to;
  leg.sequence = Sequence{static_cast<std::int64_t>(position) + 1};
  tables_.journal.push_back({view_.commit(), std::move(leg)});
  if (from != world_number) tables_.histories[index_of(from)].push_back({position, false});
  if (to != world_number) tables_.histories[index_of(to)].push_back({position, true});
  undo_.push_back([from, to](Tables& tables) {
    if (to != world_number) tables.histories[index_of(to)].pop_back();
    if (from != world_number) tables.histories[index_of(from)].pop_back();
    tables.journal.pop_back();
  });
  return tables_.journal.back().leg.sequence;
}

std::optional<std::string> Writer::broken_history() const {
  for (const WalletNumber number : touched_) {
    const WalletRow* row = view_.find_row(number);
    if (auto broken = memory::broken_history(tables_, row->state)) return broken;
  }
  return std::nullopt;
}

void Writer::commit() {
  tables_.committed = view_.commit();
  undo_.clear();
}

void Writer::roll_back() {
  for (; !undo_.empty(); undo_.pop_back()) undo_.back()(tables_);
}

}  // namespace mizan::memory
