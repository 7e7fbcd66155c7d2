#include "store/memory/view.hpp"

#include <cstddef>
#include <memory>

namespace mizan::memory {

const WalletRow* View::find_row(WalletNumber number) const {
  if (number.value() < 1 || index_of(number) >= tables_->wallets.size()) return nullptr;
  return tables_->wallets[index_of(number)].at(commit_);
}

const WalletRow* View::find_row(const WalletId& id) const {
  const auto found = tables_->wallet_numbers.find(id);
  return found == tables_->wallet_numbers.end() ? nullptr : find_row(found->second);
}

const HoldRecord* View::find_hold_record(const OperationId& id) const {
  const auto found = tables_->holds.find(id);
  return found == tables_->holds.end() ? nullptr : found->second.at(commit_);
}

const OperationRow* View::find_operation_row(const OperationId& id) const {
  const auto found = tables_->operations.find(id);
  if (found == tables_->operations.end() || found->second.since > commit_) return nullptr;
  return &found->second;
}

const ReversalRow* View::find_reversal(const OperationId& reversed) const {
  const auto found = tables_->reversals.find(reversed);
  if (found == tables_->reversals.end() || found->second.since > commit_) return nullptr;
  return &found->second;
}

std::optional<Currency> View::find_currency(const CurrencyCode& code) const {
  const auto found = tables_->currencies.find(code);
  if (found == tables_->currencies.end() || found->second.since > commit_) return std::nullopt;
  return found->second.currency;
}

std::optional<RecordedOperation> View::find_operation(const OperationId& id) const {
  const OperationRow* row = find_operation_row(id);
  if (row == nullptr) return std::nullopt;
  RecordedOperation recorded;
  recorded.fingerprint = row->fingerprint;
  recorded.refusal = row->refusal;
  if (row->refusal) return recorded;
  Receipt& receipt = recorded.receipt;
  receipt.id = id;
  receipt.type = row->type;
  receipt.applied_at = row->at;
  receipt.legs = leg_receipts(*row);
  receipt.metadata = row->metadata;
  if (row->hold) receipt.hold = std::make_shared<const Hold>(hold_of(*row->hold));
  if (row->reverses) receipt.reverses = std::make_shared<const OperationId>(*row->reverses);
  if (const ReversalRow* reversal = find_reversal(id)) {
    receipt.reversed_by = std::make_shared<const OperationId>(reversal->reversed_by);
  }
  return recorded;
}

std::vector<LegReceipt> View::leg_receipts(const OperationRow& row) const {
  std::vector<LegReceipt> receipts;
  receipts.reserve(row.leg_count);
  for (std::size_t i = row.first_leg; i < row.first_leg + row.leg_count; ++i) {
    const JournalLeg& leg = tables_->journal[i].leg;
    const WalletRow* wallet = find_row(leg.from == world_number ? leg.to : leg.from);
    const CurrencyCode currency = wallet == nullptr ? CurrencyCode{} : wallet->state.currency.code;
    LegReceipt receipt;
    receipt.from = id_or_world(leg.from, currency);
    receipt.to = id_or_world(leg.to, currency);
    receipt.amount = leg.amount;
    receipt.currency = currency;
    if (leg.from != world_number) {
      receipt.from_balance = leg.from_balance;
      receipt.from_version = leg.from_version;
    }
    if (leg.to != world_number) {
      receipt.to_balance = leg.to_balance;
      receipt.to_version = leg.to_version;
    }
    receipts.push_back(receipt);
  }
  return receipts;
}

Hold View::hold_of(const HoldRecord& record) const {
  Hold hold;
  hold.id = record.id;
  if (const WalletRow* wallet = find_row(record.wallet)) {
    hold.wallet = wallet->state.id;
    hold.currency = wallet->state.currency.code;
  }
  hold.to = id_or_world(record.to, hold.currency);
  hold.amount = record.amount;
  hold.captured = record.captured;
  hold.status = record.status;
  hold.expires_at = record.expires_at;
  hold.created_at = record.created_at;
  return hold;
}

Entry View::entry(const WalletRow& wallet, std::uint64_t version) const {
  const EntryPosition& position =
      tables_->histories[index_of(wallet.state.number)][static_cast<std::size_t>(version - 1)];
  const JournalLeg& leg = tables_->journal[position.leg].leg;
  const CurrencyCode& currency = wallet.state.currency.code;
  Entry entry;
  entry.wallet = wallet.state.id;
  entry.version = version;
  entry.operation = leg.operation;
  entry.type = leg.type;
  entry.change = position.credit ? leg.amount : MinorUnits{-leg.amount.value()};
  entry.balance = position.credit ? leg.to_balance : leg.from_balance;
  entry.counterparty = id_or_world(position.credit ? leg.from : leg.to, currency);
  entry.at = leg.at;
  entry.metadata = leg.metadata;
  entry.sequence = leg.sequence;
  return entry;
}

Timestamp View::entry_time(const WalletRow& wallet, std::uint64_t version) const {
  return leg_of(wallet, version).at;
}

BalanceAt View::balance_at(const WalletRow& wallet, std::uint64_t version) const {
  if (version == 0) return {};
  const Entry last = entry(wallet, version);
  return {last.balance, version, last.at};
}

std::uint64_t View::last_version_until(const WalletRow& wallet, Timestamp time) const {
  std::uint64_t low = 0;
  std::uint64_t high = wallet.state.version;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (entry_time(wallet, middle) <= time) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

WalletId View::id_or_world(WalletNumber number, const CurrencyCode& currency) const {
  if (number == world_number) return world_wallet(currency);
  const WalletRow* row = find_row(number);
  return row == nullptr ? WalletId{} : row->state.id;
}

const JournalLeg& View::leg_of(const WalletRow& wallet, std::uint64_t version) const {
  const std::vector<EntryPosition>& history = tables_->histories[index_of(wallet.state.number)];
  return tables_->journal[history[static_cast<std::size_t>(version - 1)].leg].leg;
}

Wallet wallet_of(const WalletRow& row) {
  Wallet wallet;
  wallet.id = row.state.id;
  wallet.currency = row.state.currency;
  wallet.balance = row.state.balance;
  wallet.held = row.state.held;
  wallet.min_balance = row.state.min_balance;
  wallet.status = row.state.status;
  wallet.version = row.state.version;
  wallet.metadata = row.metadata;
  wallet.created_at = row.created_at;
  return wallet;
}

}  // namespace mizan::memory
