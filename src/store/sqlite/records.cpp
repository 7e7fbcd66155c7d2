#include "store/sqlite/records.hpp"

#include "base/text.hpp"
#include "store/sql/refusal_text.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/operation_key.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mizan::sqlite {
namespace {

Currency read_currency(const Statement& row, int column) {
  return {CurrencyCode(row.text(column)), static_cast<std::uint8_t>(row.integer(column + 1))};
}

std::string wallet_row(const WalletId& id) {
  return "wallet " + escape_for_log(id.view());
}

std::string hold_row(const OperationId& id) {
  return "hold " + escape_for_log(id.view());
}

/// What is computed with these numbers elsewhere is not asked again whether it fits.
Status check_wallet(const WalletId& id,
                    const Currency& currency,
                    MinorUnits balance,
                    MinorUnits held) {
  if (currency.exponent > exponent_max) return damaged_row(wallet_row(id), "its exponent");
  if (held.value() < 0 || !subtract(balance, held)) {
    return damaged_row(wallet_row(id), "its balance and what is held of it");
  }
  return {};
}

Result<HoldStatus> read_hold_status(const Statement& row, int column, const OperationId& hold) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(HoldStatus::open) &&
      value <= static_cast<std::int64_t>(HoldStatus::expired)) {
    return static_cast<HoldStatus>(value);
  }
  return damaged_row(hold_row(hold), "no hold has the status " + std::to_string(value));
}

std::optional<MinorUnits> read_limit(const Statement& row, int column) {
  const auto limit = row.optional_integer(column);
  if (!limit) return std::nullopt;
  return MinorUnits{*limit};
}

/// A journal row that begins an operation, without its legs.
struct OperationRow {
  std::int64_t sequence = 0;
  RecordedOperation recorded;
  std::optional<OperationId> subject;
  bool has_legs = false;
};

Result<std::optional<OperationRow>> find_row(Connection& connection, const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_operation);
  const OperationKey key(id);
  key.bind_to(statement, 1);
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<OperationRow>();
  OperationRow row;
  row.sequence = statement.integer(0);
  const Sequence sequence{row.sequence};
  const auto fingerprint = statement.blob(1);
  if (fingerprint.size() != row.recorded.fingerprint.size()) {
    return damaged_row(journal_row(sequence), "its fingerprint");
  }
  std::copy(fingerprint.begin(), fingerprint.end(), row.recorded.fingerprint.begin());
  Receipt& receipt = row.recorded.receipt;
  receipt.id = id;
  const auto type = read_type(statement, 2, sequence);
  if (!type) return type.error();
  receipt.type = *type;
  receipt.applied_at = to_timestamp(statement.integer(3));
  if (!statement.is_null(4)) row.subject = OperationId(statement.text(4));
  if (!statement.is_null(5)) {
    auto refusal = sql::decode_refusal(statement.text(5));
    if (!refusal) return in_row(journal_row(sequence), refusal.error());
    row.recorded.refusal = std::move(*refusal);
  }
  auto metadata = read_metadata(statement, 6, journal_row(sequence));
  if (!metadata) return metadata.error();
  receipt.metadata = std::move(*metadata);
  row.has_legs = statement.integer(7) != 0;
  return std::optional(std::move(row));
}

LegReceipt read_leg(const Statement& row) {
  LegReceipt leg;
  leg.currency = CurrencyCode(row.text(3));
  leg.amount = MinorUnits{row.integer(4)};
  if (row.is_null(1)) {
    leg.from = world_wallet(leg.currency);
  } else {
    leg.from = WalletId(row.text(1));
    leg.from_balance = MinorUnits{row.integer(5)};
    leg.from_version = static_cast<std::uint64_t>(row.integer(6));
  }
  if (row.is_null(2)) {
    leg.to = world_wallet(leg.currency);
  } else {
    leg.to = WalletId(row.text(2));
    leg.to_balance = MinorUnits{row.integer(7)};
    leg.to_version = static_cast<std::uint64_t>(row.integer(8));
  }
  return leg;
}

Result<std::vector<LegReceipt>> read_legs(Connection& connection, const OperationRow& row) {
  std::vector<LegReceipt> legs;
  if (!row.has_legs) return legs;
  Statement statement = connection.statement(sqlite_sql::read_operation_legs);
  statement.bind(1, row.sequence).bind(2, static_cast<std::int64_t>(legs_max));
  for (;;) {
    auto found = statement.step();
    if (!found) return found.error();
    const bool next_operation = *found && !legs.empty() && statement.integer(0) != 0;
    if (!*found || next_operation) return legs;
    legs.push_back(read_leg(statement));
  }
}

Result<std::shared_ptr<const OperationId>> find_reversed_by(Connection& connection,
                                                            const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_reversal);
  statement.bind(1, id.view());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::shared_ptr<const OperationId>();
  return std::make_shared<const OperationId>(statement.text(0));
}

/// The hold that an operation of this type is about, if it is about one.
std::optional<OperationId> hold_of(const OperationRow& row) {
  const Receipt& receipt = row.recorded.receipt;
  if (receipt.type == OperationType::hold) return receipt.id;
  const bool about_hold =
      receipt.type == OperationType::capture || receipt.type == OperationType::void_hold;
  return about_hold ? row.subject : std::nullopt;
}

template <class Key, class BindKey>
Result<WalletStates> load_states(Connection& connection,
                                 std::string_view sql,
                                 std::span<const Key> keys,
                                 BindKey bind_key) {
  WalletStates states;
  states.reserve(keys.size());
  for (const Key& key : keys) {
    Statement row = connection.statement(sql);
    bind_key(row, key);
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) {
      states.emplace_back();
      continue;
    }
    auto state = read_wallet_state(row);
    if (!state) return state.error();
    states.emplace_back(*state);
  }
  return states;
}

/// The hold of a hold, capture or void as that operation left it.
Result<std::shared_ptr<const Hold>> find_hold_after(Connection& connection,
                                                    const OperationRow& row) {
  const auto hold_id = hold_of(row);
  if (!hold_id) return std::shared_ptr<const Hold>();
  auto hold = find_hold(connection, *hold_id);
  if (!hold) return hold.error();
  Statement statement = connection.statement(sqlite_sql::find_hold_state);
  statement.bind(1, row.sequence);
  auto found = statement.step();
  if (!found) return found.error();
  if (!*hold || !*found) {
    return damaged_row(journal_row(Sequence{row.sequence}), "what it left of its hold is missing");
  }
  Hold after = **hold;
  const auto status = read_hold_status(statement, 1, after.id);
  if (!status) return status.error();
  after.captured = MinorUnits{statement.integer(0)};
  after.status = *status;
  return std::make_shared<const Hold>(after);
}

Status complete_receipt(Connection& connection, OperationRow& row) {
  Receipt& receipt = row.recorded.receipt;
  auto legs = read_legs(connection, row);
  if (!legs) return legs.error();
  receipt.legs = std::move(*legs);
  auto hold = find_hold_after(connection, row);
  if (!hold) return hold.error();
  receipt.hold = std::move(*hold);
  if (receipt.type == OperationType::reverse && row.subject) {
    receipt.reverses = std::make_shared<const OperationId>(*row.subject);
  }
  auto reversed_by = find_reversed_by(connection, receipt.id);
  if (!reversed_by) return reversed_by.error();
  receipt.reversed_by = std::move(*reversed_by);
  return {};
}

}  // namespace

std::int64_t to_integer(Timestamp time) noexcept {
  return time.time_since_epoch().count();
}

Timestamp to_timestamp(std::int64_t microseconds) noexcept {
  return Timestamp(std::chrono::microseconds(microseconds));
}

Error damaged_row(std::string_view row, std::string_view what) {
  return internal_error("sqlite: read",
                        "damaged row: " + std::string(row) + ": " + std::string(what) +
                            "; stop, keep a copy, restore from a backup");
}

std::string journal_row(Sequence sequence) {
  return "journal sequence " + std::to_string(sequence.value());
}

Error in_row(std::string_view row, const Error& error) {
  return damaged_row(row, error.detail);
}

Result<OperationType> read_type(const Statement& row, int column, Sequence sequence) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(OperationType::transfer) &&
      value <= static_cast<std::int64_t>(OperationType::reverse)) {
    return static_cast<OperationType>(value);
  }
  return damaged_row(journal_row(sequence), "no operation has the type " + std::to_string(value));
}

Result<WalletStatus> read_status(const Statement& row, int column, const WalletId& wallet) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(WalletStatus::active) &&
      value <= static_cast<std::int64_t>(WalletStatus::closed)) {
    return static_cast<WalletStatus>(value);
  }
  return damaged_row(wallet_row(wallet), "no wallet has the status " + std::to_string(value));
}

Result<WalletState> read_wallet_state(const Statement& row) {
  WalletState state;
  state.number = WalletNumber{row.integer(0)};
  state.id = WalletId(row.text(1));
  state.currency = read_currency(row, 2);
  const auto status = read_status(row, 4, state.id);
  if (!status) return status.error();
  state.status = *status;
  state.balance = MinorUnits{row.integer(5)};
  state.held = MinorUnits{row.integer(6)};
  if (Status whole = check_wallet(state.id, state.currency, state.balance, state.held); !whole) {
    return whole.error();
  }
  state.min_balance = read_limit(row, 7);
  state.version = static_cast<std::uint64_t>(row.integer(8));
  state.revision = static_cast<std::uint64_t>(row.integer(9));
  state.links = {Sequence{row.integer(10)}, Sequence{row.integer(11)}};
  state.last_entry_at = to_timestamp(row.integer(12));  // NULL reads as 0: no entry yet.
  return state;
}

Result<Wallet> read_wallet(const Statement& row) {
  Wallet wallet;
  wallet.id = WalletId(row.text(0));
  wallet.currency = read_currency(row, 1);
  wallet.balance = MinorUnits{row.integer(3)};
  wallet.held = MinorUnits{row.integer(4)};
  if (Status whole = check_wallet(wallet.id, wallet.currency, wallet.balance, wallet.held);
      !whole) {
    return whole.error();
  }
  wallet.min_balance = read_limit(row, 5);
  const auto status = read_status(row, 6, wallet.id);
  if (!status) return status.error();
  wallet.status = *status;
  wallet.version = static_cast<std::uint64_t>(row.integer(7));
  auto metadata = read_metadata(row, 8, wallet_row(wallet.id));
  if (!metadata) return metadata.error();
  wallet.metadata = std::move(*metadata);
  wallet.created_at = to_timestamp(row.integer(9));
  return wallet;
}

Result<HoldRecord> read_hold_record(const Statement& row) {
  HoldRecord hold;
  hold.id = OperationId(row.text(0));
  hold.wallet = WalletNumber{row.integer(1)};
  hold.to = WalletNumber{row.integer(2)};
  hold.amount = MinorUnits{row.integer(3)};
  hold.captured = MinorUnits{row.integer(4)};
  if (hold.captured.value() < 0 || hold.captured > hold.amount) {
    return damaged_row(hold_row(hold.id), "its amount and what is captured of it");
  }
  const auto status = read_hold_status(row, 5, hold.id);
  if (!status) return status.error();
  hold.status = *status;
  if (const auto expires_at = row.optional_integer(6)) hold.expires_at = to_timestamp(*expires_at);
  hold.created_at = to_timestamp(row.integer(7));
  return hold;
}

Result<Metadata> read_metadata(const Statement& row, int column, std::string_view name) {
  if (row.is_null(column)) return Metadata();
  auto metadata = decode_metadata(row.text(column));
  // Nobody's request is at fault, whatever the decoder calls it.
  if (!metadata) return in_row(name, metadata.error());
  return metadata;
}

Result<WalletStates> load_wallets(Connection& connection, std::span<const WalletId> ids) {
  return load_states(
      connection, sqlite_sql::load_wallet_by_id, ids, [](Statement& row, const WalletId& id) {
        row.bind(1, id.view());
      });
}

Result<WalletStates> load_wallets(Connection& connection, std::span<const WalletNumber> numbers) {
  return load_states(connection,
                     sqlite_sql::load_wallet_by_number,
                     numbers,
                     [](Statement& row, WalletNumber number) { row.bind(1, number.value()); });
}

Result<std::optional<RecordedOperation>> find_operation(Connection& connection,
                                                        const OperationId& id) {
  auto row = find_row(connection, id);
  if (!row) return row.error();
  if (!*row) return std::optional<RecordedOperation>();
  OperationRow& found = **row;
  if (found.recorded.refusal) {
    found.recorded.receipt = Receipt();
  } else if (Status completed = complete_receipt(connection, found); !completed) {
    return completed.error();
  }
  return std::optional(std::move(found.recorded));
}

Result<std::optional<ReversibleOperation>> find_reversible(Connection& connection,
                                                           const OperationId& id) {
  auto row = find_row(connection, id);
  if (!row) return row.error();
  if (!*row || (*row)->recorded.refusal) return std::optional<ReversibleOperation>();
  ReversibleOperation reversible;
  reversible.type = (*row)->recorded.receipt.type;
  auto legs = read_legs(connection, **row);
  if (!legs) return legs.error();
  reversible.legs = std::move(*legs);
  auto reversed_by = find_reversed_by(connection, id);
  if (!reversed_by) return reversed_by.error();
  reversible.reversed = *reversed_by != nullptr;
  return std::optional(std::move(reversible));
}

Result<std::optional<HoldRecord>> find_hold_record(Connection& connection, const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_hold);
  statement.bind(1, id.view());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<HoldRecord>();
  auto hold = read_hold_record(statement);
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::optional<Hold>> find_hold(Connection& connection, const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_hold);
  statement.bind(1, id.view());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<Hold>();
  const auto read = read_hold_record(statement);
  if (!read) return read.error();
  const HoldRecord& record = *read;
  Hold hold;
  hold.id = record.id;
  hold.wallet = WalletId(statement.text(8));
  hold.currency = CurrencyCode(statement.text(10));
  hold.to = statement.is_null(9) ? world_wallet(hold.currency) : WalletId(statement.text(9));
  hold.amount = record.amount;
  hold.captured = record.captured;
  hold.status = record.status;
  hold.expires_at = record.expires_at;
  hold.created_at = record.created_at;
  return std::optional(hold);
}

Result<std::vector<HoldRecord>> read_hold_records(Statement& statement) {
  std::vector<HoldRecord> holds;
  for (;;) {
    auto found = statement.step();
    if (!found) return found.error();
    if (!*found) return holds;
    auto hold = read_hold_record(statement);
    if (!hold) return hold.error();
    holds.push_back(*hold);
  }
}

Result<std::optional<WalletId>> find_wallet_id(Connection& connection, WalletNumber number) {
  Statement statement = connection.statement(sqlite_sql::find_wallet_id);
  statement.bind(1, number.value());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<WalletId>();
  return std::optional(WalletId(statement.text(0)));
}

Result<std::optional<Currency>> find_registered_currency(Connection& connection,
                                                         const CurrencyCode& code) {
  Statement statement = connection.statement(sqlite_sql::find_currency);
  statement.bind(1, code.view());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<Currency>();
  return std::optional(read_currency(statement, 0));
}

}  // namespace mizan::sqlite
