#include "store/mariadb/records.hpp"

#include "base/text.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/sql/packed_id.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace mizan::mariadb {
namespace {

/// Stands in front of the 16 bytes of a UUID; no id begins with it.
constexpr std::byte uuid_mark{1};

Parameters text(std::string_view value) {
  Parameters parameters;
  parameters.text(value);
  return parameters;
}

Currency read_currency(const Row& row, std::size_t column) {
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

Result<WalletStatus> read_status(const Row& row, std::size_t column, const WalletId& wallet) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(WalletStatus::active) &&
      value <= static_cast<std::int64_t>(WalletStatus::closed)) {
    return static_cast<WalletStatus>(value);
  }
  return damaged_row(wallet_row(wallet), "no wallet has the status " + std::to_string(value));
}

MinBalance read_limit(const Row& row, std::size_t column) {
  const auto limit = row.optional_integer(column);
  if (!limit) return std::nullopt;
  return MinorUnits{*limit};
}

/// Columns as in find_holds.sql.
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

}  // namespace

Error damaged_row(std::string_view row, std::string_view what) {
  return internal_error("mariadb: read",
                        "damaged row: " + std::string(row) + ": " + std::string(what) +
                            "; stop, keep a copy, restore from a backup");
}

std::string journal_row(Sequence sequence) {
  return "journal sequence " + std::to_string(sequence.value());
}

Result<OperationType> read_type(const Row& row, std::size_t column, Sequence sequence) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(OperationType::transfer) &&
      value <= static_cast<std::int64_t>(OperationType::reverse)) {
    return static_cast<OperationType>(value);
  }
  return damaged_row(journal_row(sequence), "no operation has the type " + std::to_string(value));
}

Result<WalletState> read_wallet_state(const Row& row) {
  WalletState state;
  state.number = WalletNumber{row.integer(1)};
  state.id = WalletId(row.text(2));
  state.currency = read_currency(row, 3);
  const auto status = read_status(row, 5, state.id);
  if (!status) return status.error();
  state.status = *status;
  state.balance = MinorUnits{row.integer(6)};
  state.held = MinorUnits{row.integer(7)};
  if (Status whole = check_wallet(state.id, state.currency, state.balance, state.held); !whole) {
    return whole.error();
  }
  state.min_balance = read_limit(row, 8);
  state.version = static_cast<std::uint64_t>(row.integer(9));
  state.revision = static_cast<std::uint64_t>(row.integer(10));
  state.links = {Sequence{row.integer(11)}, Sequence{row.integer(12)}};
  state.last_entry_at = row.time(13);
  return state;
}

Result<Wallet> read_wallet(const Row& row) {
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
  wallet.created_at = row.time(9);
  return wallet;
}

Result<HoldStatus> read_hold_status(const Row& row, std::size_t column, const std::string& name) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(HoldStatus::open) &&
      value <= static_cast<std::int64_t>(HoldStatus::expired)) {
    return static_cast<HoldStatus>(value);
  }
  return damaged_row(name, "no hold has the status " + std::to_string(value));
}

Result<HoldRecord> read_hold_record(const Row& row) {
  HoldRecord hold;
  hold.id = OperationId(row.text(0));
  hold.wallet = WalletNumber{row.integer(1)};
  hold.to = WalletNumber{row.integer(2)};
  hold.amount = MinorUnits{row.integer(3)};
  hold.captured = MinorUnits{row.integer(4)};
  if (hold.captured.value() < 0 || hold.captured > hold.amount) {
    return damaged_row(hold_row(hold.id), "its amount and what is captured of it");
  }
  const auto status = read_hold_status(row, 5, hold_row(hold.id));
  if (!status) return status.error();
  hold.status = *status;
  hold.expires_at = row.optional_time(6);
  hold.created_at = row.time(7);
  return hold;
}

Result<Metadata> read_metadata(const Row& row, std::size_t column, std::string_view name) {
  if (row.is_null(column)) return Metadata();
  auto metadata = decode_metadata(row.text(column));
  // Nobody's request is at fault, whatever the decoder calls it.
  if (!metadata) return damaged_row(name, metadata.error().detail);
  return metadata;
}

std::string operation_key(const OperationId& id) {
  const auto packed = sql::pack_uuid(id.view());
  if (!packed) return id.str();
  std::string key(1, static_cast<char>(uuid_mark));
  key.append(reinterpret_cast<const char*>(packed->data()), packed->size());
  return key;
}

Parameters operation_keys(std::span<const OperationId> ids) {
  std::vector<std::string> keys;
  keys.reserve(ids.size());
  for (const OperationId& id : ids) keys.push_back(operation_key(id));
  Parameters parameters;
  parameters.hexadecimal_list(keys);
  return parameters;
}

Parameters operation_keys(std::span<const OperationId* const> ids) {
  std::vector<std::string> keys;
  keys.reserve(ids.size());
  for (const OperationId* id : ids) keys.push_back(operation_key(*id));
  Parameters parameters;
  parameters.hexadecimal_list(keys);
  return parameters;
}

OperationId read_operation_id(const Row& row, std::size_t column) {
  const auto key = row.bytes(column);
  if (key.empty() || key.front() != uuid_mark) return OperationId(row.text(column));
  if (key.size() != 1 + std::tuple_size_v<sql::PackedId>) return OperationId();
  return sql::unpack_uuid(key.subspan(1).first<16>());
}

Result<WalletStates> read_wallet_states(const Answer& answer, std::size_t count) {
  WalletStates states(count);
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const Row row(answer, i);
    auto state = read_wallet_state(row);
    if (!state) return state.error();
    states[static_cast<std::size_t>(row.integer(0) - 1)] = *state;
  }
  return states;
}

Parameters wallet_ids(std::span<const WalletId> ids) {
  std::vector<std::string_view> texts;
  for (const WalletId& id : ids) texts.push_back(id.view());
  Parameters parameters;
  parameters.list(texts);
  return parameters;
}

Parameters operation_ids(std::span<const OperationId* const> ids) {
  std::vector<std::string_view> texts;
  for (const OperationId* id : ids) texts.push_back(id->view());
  Parameters parameters;
  parameters.list(texts);
  return parameters;
}

Parameters wallet_numbers(std::span<const WalletNumber> numbers) {
  std::vector<std::int64_t> values;
  for (const WalletNumber number : numbers) values.push_back(number.value());
  Parameters parameters;
  parameters.list(values);
  return parameters;
}

Result<std::unordered_map<OperationId, Hold>> find_holds(Session& session,
                                                         std::span<const OperationId* const> ids) {
  std::unordered_map<OperationId, Hold> holds;
  if (ids.empty()) return holds;
  auto answer = session.ask(mariadb_sql::find_holds, operation_ids(ids));
  if (!answer) return answer.error();
  for (std::size_t i = 0; i < answer->size(); ++i) {
    auto hold = read_hold(Row(*answer, i));
    if (!hold) return hold.error();
    holds.emplace(hold->id, *hold);
  }
  return holds;
}

Result<std::optional<HoldRecord>> find_hold_record(Session& session, const OperationId& id) {
  const OperationId* const ids[] = {&id};
  auto answer = session.ask(mariadb_sql::find_holds, operation_ids(ids));
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<HoldRecord>();
  auto hold = read_hold_record(Row(*answer, 0));
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::optional<Hold>> find_hold(Session& session, const OperationId& id) {
  const OperationId* const ids[] = {&id};
  auto holds = find_holds(session, ids);
  if (!holds) return holds.error();
  if (holds->empty()) return std::optional<Hold>();
  return std::optional(holds->begin()->second);
}

Result<std::vector<HoldRecord>> read_hold_records(const Answer& answer) {
  std::vector<HoldRecord> holds;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    auto hold = read_hold_record(Row(answer, i));
    if (!hold) return hold.error();
    holds.push_back(*hold);
  }
  return holds;
}

Result<std::optional<Currency>> find_registered_currency(Session& session,
                                                         const CurrencyCode& code) {
  auto answer = session.ask(mariadb_sql::find_currency, text(code.view()));
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Currency>();
  return std::optional(read_currency(Row(*answer, 0), 0));
}

}  // namespace mizan::mariadb
