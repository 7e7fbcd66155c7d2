#include "store/postgres/records.hpp"

#include "base/text.hpp"
#include "store/postgres/postgres_sql.hpp"
#include "store/sql/packed_id.hpp"
#include "store/sql/refusal_text.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mizan::postgres {
namespace {

/// Stands in front of the 16 bytes of a UUID; no id begins with it.
constexpr std::byte uuid_mark{1};

Currency read_currency(const Row& row, int column) {
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

Result<WalletStatus> read_status(const Row& row, int column, const WalletId& wallet) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(WalletStatus::active) &&
      value <= static_cast<std::int64_t>(WalletStatus::closed)) {
    return static_cast<WalletStatus>(value);
  }
  return damaged_row(wallet_row(wallet), "no wallet has the status " + std::to_string(value));
}

Result<HoldStatus> read_hold_status(const Row& row, int column, const std::string& name) {
  const std::int64_t value = row.integer(column);
  if (value >= static_cast<std::int64_t>(HoldStatus::open) &&
      value <= static_cast<std::int64_t>(HoldStatus::expired)) {
    return static_cast<HoldStatus>(value);
  }
  return damaged_row(name, "no hold has the status " + std::to_string(value));
}

MinBalance read_limit(const Row& row, int column) {
  const auto limit = row.optional_integer(column);
  if (!limit) return std::nullopt;
  return MinorUnits{*limit};
}

/// A journal row that begins an operation, without its legs.
struct OperationRow {
  std::size_t position = 0;
  Sequence sequence;
  RecordedOperation recorded;
  std::optional<OperationId> subject;
  bool has_legs = false;
  std::optional<MinorUnits> hold_captured;
  HoldStatus hold_status = HoldStatus::open;
};

/// Columns as in find_operations.sql.
Result<OperationRow> read_operation(const Row& row, std::span<const OperationId* const> ids) {
  OperationRow operation;
  operation.position = static_cast<std::size_t>(row.integer(0) - 1);
  operation.sequence = Sequence{row.integer(1)};
  const std::string name = journal_row(operation.sequence);
  const auto fingerprint = row.bytes(2);
  if (fingerprint.size() != operation.recorded.fingerprint.size()) {
    return damaged_row(name, "its fingerprint");
  }
  std::copy(fingerprint.begin(), fingerprint.end(), operation.recorded.fingerprint.begin());
  Receipt& receipt = operation.recorded.receipt;
  receipt.id = *ids[operation.position];
  const auto type = read_type(row, 3, operation.sequence);
  if (!type) return type.error();
  receipt.type = *type;
  receipt.applied_at = row.time(4);
  if (!row.is_null(5)) operation.subject = OperationId(row.text(5));
  if (!row.is_null(6)) {
    auto refusal = sql::decode_refusal(row.text(6));
    if (!refusal) return damaged_row(name, refusal.error().detail);
    operation.recorded.refusal = std::move(*refusal);
  }
  auto metadata = read_metadata(row, 7, name);
  if (!metadata) return metadata.error();
  receipt.metadata = std::move(*metadata);
  operation.has_legs = row.flag(8);
  if (!row.is_null(9)) {
    operation.hold_captured = MinorUnits{row.integer(9)};
    const auto status = read_hold_status(row, 10, name);
    if (!status) return status.error();
    operation.hold_status = *status;
  }
  return operation;
}

Result<std::vector<OperationRow>> read_operations(const Answer& answer,
                                                  std::span<const OperationId* const> ids) {
  std::vector<OperationRow> rows;
  for (int i = 0; i < answer.size(); ++i) {
    auto row = read_operation(Row(answer, i), ids);
    if (!row) return row.error();
    rows.push_back(std::move(*row));
  }
  return rows;
}

LegReceipt read_leg(const Row& row) {
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

std::vector<LegReceipt> read_legs(const Answer& answer, const OperationRow& operation) {
  std::vector<LegReceipt> legs;
  if (!operation.has_legs) return legs;
  for (int i = 0; i < answer.size(); ++i) {
    const Row row(answer, i);
    if (!legs.empty() && row.flag(0)) break;  // The next operation begins.
    legs.push_back(read_leg(row));
  }
  return legs;
}

/// Columns as in find_hold.sql.
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

/// The hold that an operation of this type is about, if it is about one.
std::optional<OperationId> hold_of(const OperationRow& row) {
  const Receipt& receipt = row.recorded.receipt;
  if (receipt.type == OperationType::hold) return receipt.id;
  const bool about_hold =
      receipt.type == OperationType::capture || receipt.type == OperationType::void_hold;
  return about_hold ? row.subject : std::nullopt;
}

/// What an operation's receipt has beside its first row: three questions at once.
void send_further(Session& session, const OperationRow& row) {
  Parameters legs;
  legs.integer(row.sequence.value()).integer(static_cast<std::int64_t>(legs_max));
  session.send(postgres_sql::read_operation_legs, legs);
  Parameters reversed;
  reversed.text(row.recorded.receipt.id.view());
  session.send(postgres_sql::find_reversal, reversed);
  Parameters hold;
  hold.text(hold_of(row).value_or(OperationId()).view());
  session.send(postgres_sql::find_hold, hold);
}

/// The three answers to `send_further`.
Status complete(OperationRow& row, std::span<const Answer> answers) {
  Receipt& receipt = row.recorded.receipt;
  receipt.legs = read_legs(answers[0], row);
  if (!answers[1].empty()) {
    receipt.reversed_by = std::make_shared<const OperationId>(Row(answers[1], 0).text(0));
  }
  if (receipt.type == OperationType::reverse && row.subject) {
    receipt.reverses = std::make_shared<const OperationId>(*row.subject);
  }
  if (!hold_of(row)) return {};
  if (answers[2].empty() || !row.hold_captured) {
    return damaged_row(journal_row(row.sequence), "what it left of its hold is missing");
  }
  auto hold = read_hold(Row(answers[2], 0));
  if (!hold) return hold.error();
  hold->captured = *row.hold_captured;
  hold->status = row.hold_status;
  receipt.hold = std::make_shared<const Hold>(*hold);
  return {};
}

}  // namespace

Error damaged_row(std::string_view row, std::string_view what) {
  return internal_error("postgres: read",
                        "damaged row: " + std::string(row) + ": " + std::string(what) +
                            "; stop, keep a copy, restore from a backup");
}

std::string journal_row(Sequence sequence) {
  return "journal sequence " + std::to_string(sequence.value());
}

Result<OperationType> read_type(const Row& row, int column, Sequence sequence) {
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

Result<Metadata> read_metadata(const Row& row, int column, std::string_view name) {
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

Parameters operation_keys(std::span<const OperationId* const> ids) {
  Parameters keys;
  keys.array(Type::bytes_array, ids.size(), [&](ArrayWriter& writer, std::size_t i) {
    writer.text(operation_key(*ids[i]));
  });
  return keys;
}

OperationId read_operation_id(const Row& row, int column) {
  const auto key = row.bytes(column);
  if (key.empty() || key.front() != uuid_mark) return OperationId(row.text(column));
  if (key.size() != 1 + std::tuple_size_v<sql::PackedId>) return OperationId();
  return sql::unpack_uuid(key.subspan(1).first<16>());
}

Result<WalletStates> read_wallet_states(const Answer& answer, std::size_t count) {
  WalletStates states(count);
  for (int i = 0; i < answer.size(); ++i) {
    const Row row(answer, i);
    auto state = read_wallet_state(row);
    if (!state) return state.error();
    states[static_cast<std::size_t>(row.integer(0) - 1)] = *state;
  }
  return states;
}

Parameters wallet_ids(std::span<const WalletId> ids) {
  Parameters parameters;
  parameters.array(Type::text_array, ids.size(), [&](ArrayWriter& writer, std::size_t i) {
    writer.text(ids[i].view());
  });
  return parameters;
}

Parameters wallet_numbers(std::span<const WalletNumber> numbers) {
  Parameters parameters;
  parameters.array(Type::integer_array, numbers.size(), [&](ArrayWriter& writer, std::size_t i) {
    writer.integer(numbers[i].value());
  });
  return parameters;
}

Result<std::vector<KnownOperation>> find_operations(Session& session,
                                                    std::span<const OperationId* const> ids) {
  std::vector<KnownOperation> known;
  if (ids.empty()) return known;
  auto answer = session.ask(postgres_sql::find_operations, operation_keys(ids));
  if (!answer) return answer.error();
  return read_known(session, *answer, ids);
}

Result<std::vector<KnownOperation>> read_known(Session& session,
                                               const Answer& answer,
                                               std::span<const OperationId* const> ids) {
  std::vector<KnownOperation> known;
  auto rows = read_operations(answer, ids);
  if (!rows) return rows.error();
  std::vector<OperationRow*> applied;
  for (OperationRow& row : *rows) {
    if (!row.recorded.refusal) applied.push_back(&row);
  }
  for (const OperationRow* row : applied) send_further(session, *row);
  std::vector<Answer> answers;
  if (!applied.empty()) {
    auto further = session.run();
    if (!further) return further.error();
    answers = std::move(*further);
  }
  for (std::size_t i = 0; i < applied.size(); ++i) {
    Status completed = complete(*applied[i], std::span(answers).subspan(3 * i, 3));
    if (!completed) return completed.error();
  }
  for (OperationRow& row : *rows) {
    if (row.recorded.refusal) row.recorded.receipt = Receipt();
    known.push_back({row.position, std::move(row.recorded)});
  }
  std::sort(known.begin(), known.end(), [](const KnownOperation& a, const KnownOperation& b) {
    return a.index < b.index;
  });
  return known;
}

Result<std::optional<RecordedOperation>> find_operation(Session& session, const OperationId& id) {
  const OperationId* const ids[] = {&id};
  auto found = find_operations(session, ids);
  if (!found) return found.error();
  if (found->empty()) return std::optional<RecordedOperation>();
  return std::optional(std::move(found->front().recorded));
}

Result<std::optional<ReversibleOperation>> find_reversible(Session& session,
                                                           const OperationId& id) {
  auto found = find_operation(session, id);
  if (!found) return found.error();
  std::optional<RecordedOperation>& recorded = *found;
  if (!recorded || recorded->refusal) return std::optional<ReversibleOperation>();
  ReversibleOperation reversible;
  reversible.type = recorded->receipt.type;
  reversible.legs = std::move(recorded->receipt.legs);
  reversible.reversed = recorded->receipt.reversed_by != nullptr;
  return std::optional(std::move(reversible));
}

Result<std::optional<HoldRecord>> find_hold_record(Session& session, const OperationId& id) {
  Parameters parameters;
  parameters.text(id.view());
  auto answer = session.ask(postgres_sql::find_hold, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<HoldRecord>();
  auto hold = read_hold_record(Row(*answer, 0));
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::optional<Hold>> find_hold(Session& session, const OperationId& id) {
  Parameters parameters;
  parameters.text(id.view());
  auto answer = session.ask(postgres_sql::find_hold, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Hold>();
  auto hold = read_hold(Row(*answer, 0));
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::vector<HoldRecord>> read_hold_records(const Answer& answer) {
  std::vector<HoldRecord> holds;
  for (int i = 0; i < answer.size(); ++i) {
    auto hold = read_hold_record(Row(answer, i));
    if (!hold) return hold.error();
    holds.push_back(*hold);
  }
  return holds;
}

Result<std::optional<Currency>> find_registered_currency(Session& session,
                                                         const CurrencyCode& code) {
  Parameters parameters;
  parameters.text(code.view());
  auto answer = session.ask(postgres_sql::find_currency, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Currency>();
  return std::optional(read_currency(Row(*answer, 0), 0));
}

}  // namespace mizan::postgres
