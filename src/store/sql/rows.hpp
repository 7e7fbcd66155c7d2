#pragma once

#include "mizan/operation.hpp"
#include "mizan/outcome.hpp"
#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sql/refusal_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::sql {

// Rows as values. Snapshots and transactions of every dialect read through the same functions. A
// database can hold whatever somebody wrote into it, so what the rest of the program takes for
// granted is checked here: a row that breaks it is an `internal` error that names the row.
//
// `Row` is the dialect's: its `Column` is how it counts columns, from 0.

/// `row` says which it is, such as "journal sequence 7"; `what` says what is wrong with it.
[[nodiscard]] Error damaged_row(std::string_view row, std::string_view what);

[[nodiscard]] std::string journal_row(Sequence sequence);
[[nodiscard]] std::string wallet_row(const WalletId& id);
[[nodiscard]] std::string hold_row(const OperationId& id);

[[nodiscard]] Result<OperationType> type_of(std::int64_t stored, Sequence sequence);
[[nodiscard]] Result<WalletStatus> wallet_status_of(std::int64_t stored, const WalletId& id);
[[nodiscard]] Result<HoldStatus> hold_status_of(std::int64_t stored, std::string_view row);

/// `row` says which row it is.
[[nodiscard]] Result<Metadata> metadata_of(std::string_view stored, std::string_view row);

/// What is computed with a wallet's numbers elsewhere is not asked again whether it fits.
[[nodiscard]] Status check_numbers(const WalletState& state);
[[nodiscard]] Status check_numbers(const Wallet& wallet);
[[nodiscard]] Status check_numbers(const HoldRecord& hold);

/// `name` says which row it is.
template <class Row>
Result<Metadata> read_metadata(const Row& row, typename Row::Column column, std::string_view name) {
  if (row.is_null(column)) return Metadata();
  return metadata_of(row.text(column), name);
}

template <class Row>
Currency read_currency(const Row& row, typename Row::Column column) {
  return {CurrencyCode(row.text(column)), static_cast<std::uint8_t>(row.integer(column + 1))};
}

template <class Row>
MinBalance read_limit(const Row& row, typename Row::Column column) {
  const auto limit = row.optional_integer(column);
  if (!limit) return std::nullopt;
  return MinorUnits{*limit};
}

/// Columns from `number` on: number, id, currency, exponent, status, balance, held, min_balance,
/// version, revision, head, block, time of the newest entry.
template <class Row>
Result<WalletState> read_wallet_state(const Row& row, typename Row::Column number) {
  WalletState state;
  state.number = WalletNumber{row.integer(number)};
  state.id = WalletId(row.text(number + 1));
  state.currency = read_currency(row, number + 2);
  const auto status = wallet_status_of(row.integer(number + 4), state.id);
  if (!status) return status.error();
  state.status = *status;
  state.balance = MinorUnits{row.integer(number + 5)};
  state.held = MinorUnits{row.integer(number + 6)};
  state.min_balance = read_limit(row, number + 7);
  state.version = static_cast<std::uint64_t>(row.integer(number + 8));
  state.revision = static_cast<std::uint64_t>(row.integer(number + 9));
  state.links = {Sequence{row.integer(number + 10)}, Sequence{row.integer(number + 11)}};
  state.last_entry_at = row.time(number + 12);
  if (Status whole = check_numbers(state); !whole) return whole.error();
  return state;
}

/// Columns as in each dialect's find_wallet.sql.
template <class Row>
Result<Wallet> read_wallet(const Row& row) {
  Wallet wallet;
  wallet.id = WalletId(row.text(0));
  wallet.currency = read_currency(row, 1);
  wallet.balance = MinorUnits{row.integer(3)};
  wallet.held = MinorUnits{row.integer(4)};
  if (Status whole = check_numbers(wallet); !whole) return whole.error();
  wallet.min_balance = read_limit(row, 5);
  const auto status = wallet_status_of(row.integer(6), wallet.id);
  if (!status) return status.error();
  wallet.status = *status;
  wallet.version = static_cast<std::uint64_t>(row.integer(7));
  auto metadata = read_metadata(row, 8, wallet_row(wallet.id));
  if (!metadata) return metadata.error();
  wallet.metadata = std::move(*metadata);
  wallet.created_at = row.time(9);
  return wallet;
}

/// The first eight columns of what looks a hold up: id, wallet, to, amount, captured, status,
/// expires_at, created_at.
template <class Row>
Result<HoldRecord> read_hold_record(const Row& row) {
  HoldRecord hold;
  hold.id = OperationId(row.text(0));
  hold.wallet = WalletNumber{row.integer(1)};
  hold.to = WalletNumber{row.integer(2)};
  hold.amount = MinorUnits{row.integer(3)};
  hold.captured = MinorUnits{row.integer(4)};
  if (Status whole = check_numbers(hold); !whole) return whole.error();
  const auto status = hold_status_of(row.integer(5), hold_row(hold.id));
  if (!status) return status.error();
  hold.status = *status;
  hold.expires_at = row.optional_time(6);
  hold.created_at = row.time(7);
  return hold;
}

/// As `read_hold_record`, and the names behind it: id of the wallet, of the other one (NULL: the
/// world), currency.
template <class Row>
Result<Hold> read_hold(const Row& row) {
  const auto record = read_hold_record(row);
  if (!record) return record.error();
  Hold hold;
  hold.id = record->id;
  hold.wallet = WalletId(row.text(8));
  hold.currency = CurrencyCode(row.text(10));
  hold.to = row.is_null(9) ? world_wallet(hold.currency) : WalletId(row.text(9));
  hold.amount = record->amount;
  hold.captured = record->captured;
  hold.status = record->status;
  hold.expires_at = record->expires_at;
  hold.created_at = record->created_at;
  return hold;
}

/// Columns from `from` on: ids of the two wallets (NULL: the world), currency, amount, balance and
/// version after it of the first, of the second.
template <class Row>
LegReceipt read_leg_receipt(const Row& row, typename Row::Column from) {
  LegReceipt leg;
  leg.currency = CurrencyCode(row.text(from + 2));
  leg.amount = MinorUnits{row.integer(from + 3)};
  if (row.is_null(from)) {
    leg.from = world_wallet(leg.currency);
  } else {
    leg.from = WalletId(row.text(from));
    leg.from_balance = MinorUnits{row.integer(from + 4)};
    leg.from_version = static_cast<std::uint64_t>(row.integer(from + 5));
  }
  if (row.is_null(from + 1)) {
    leg.to = world_wallet(leg.currency);
  } else {
    leg.to = WalletId(row.text(from + 1));
    leg.to_balance = MinorUnits{row.integer(from + 6)};
    leg.to_version = static_cast<std::uint64_t>(row.integer(from + 7));
  }
  return leg;
}

/// The journal row that begins an operation, without its legs.
struct OperationStart {
  Sequence sequence;
  RecordedOperation recorded;  ///< A refused one has no receipt.
  std::optional<OperationId> subject;
};

/// Columns from `sequence` on: sequence, fingerprint, type, at, subject, refusal, metadata.
template <class Row>
Result<OperationStart> read_start(const Row& row,
                                  typename Row::Column sequence,
                                  const OperationId& id) {
  OperationStart start;
  start.sequence = Sequence{row.integer(sequence)};
  const std::string name = journal_row(start.sequence);
  const auto fingerprint = row.bytes(sequence + 1);
  if (fingerprint.size() != start.recorded.fingerprint.size()) {
    return damaged_row(name, "its fingerprint");
  }
  std::copy(fingerprint.begin(), fingerprint.end(), start.recorded.fingerprint.begin());
  if (!row.is_null(sequence + 5)) {
    auto refusal = decode_refusal(row.text(sequence + 5));
    if (!refusal) return damaged_row(name, refusal.error().detail);
    start.recorded.refusal = std::move(*refusal);
    return start;
  }
  Receipt& receipt = start.recorded.receipt;
  receipt.id = id;
  const auto type = type_of(row.integer(sequence + 2), start.sequence);
  if (!type) return type.error();
  receipt.type = *type;
  receipt.applied_at = row.time(sequence + 3);
  if (!row.is_null(sequence + 4)) start.subject = OperationId(row.text(sequence + 4));
  auto metadata = read_metadata(row, sequence + 6, name);
  if (!metadata) return metadata.error();
  receipt.metadata = std::move(*metadata);
  return start;
}

/// The hold that an operation is about; null where it is about none.
[[nodiscard]] const OperationId* hold_of(const OperationStart& start) noexcept;

/// What a reversal needs to know of an operation; nothing where none was applied.
[[nodiscard]] std::optional<ReversibleOperation> to_reversible(
    std::optional<RecordedOperation> recorded);

}  // namespace mizan::sql
