#include "store/postgres/records.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/sql/packed_id.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mizan::postgres {
namespace {

/// Stands in front of the 16 bytes of a UUID; no id begins with it.
constexpr std::byte uuid_mark{1};

struct OperationRow : sql::OperationStart {
  std::size_t position = 0;
  bool has_legs = false;
  std::optional<MinorUnits> hold_captured;
  HoldStatus hold_status = HoldStatus::open;
};

/// Columns as in find_operations.sql.
Result<OperationRow> read_operation(const Row& row, std::span<const OperationId* const> ids) {
  const auto position = static_cast<std::size_t>(row.integer(0) - 1);
  auto start = sql::read_start(row, 1, *ids[position]);
  if (!start) return start.error();
  OperationRow operation{*std::move(start), position, row.flag(8), std::nullopt, HoldStatus::open};
  if (!operation.recorded.refusal && !row.is_null(9)) {
    operation.hold_captured = MinorUnits{row.integer(9)};
    const auto status = sql::hold_status_of(row.integer(10), sql::journal_row(operation.sequence));
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

std::vector<LegReceipt> read_legs(const Answer& answer, const OperationRow& operation) {
  std::vector<LegReceipt> legs;
  if (!operation.has_legs) return legs;
  for (int i = 0; i < answer.size(); ++i) {
    const Row row(answer, i);
    if (!legs.empty() && row.flag(0)) break;  // The next operation begins.
    legs.push_back(sql::read_leg_receipt(row, 1));
  }
  return legs;
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
  const OperationId* id = sql::hold_of(row);
  hold.text(id != nullptr ? id->view() : std::string_view());
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
  if (sql::hold_of(row) == nullptr) return {};
  if (answers[2].empty() || !row.hold_captured) {
    return sql::damaged_row(sql::journal_row(row.sequence), "what it left of its hold is missing");
  }
  auto hold = sql::read_hold(Row(answers[2], 0));
  if (!hold) return hold.error();
  hold->captured = *row.hold_captured;
  hold->status = row.hold_status;
  receipt.hold = std::make_shared<const Hold>(*hold);
  return {};
}

}  // namespace

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
  return sql::to_reversible(*std::move(found));
}

Result<std::optional<HoldRecord>> find_hold_record(Session& session, const OperationId& id) {
  Parameters parameters;
  parameters.text(id.view());
  auto answer = session.ask(postgres_sql::find_hold, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<HoldRecord>();
  auto hold = sql::read_hold_record(Row(*answer, 0));
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::optional<Hold>> find_hold(Session& session, const OperationId& id) {
  Parameters parameters;
  parameters.text(id.view());
  auto answer = session.ask(postgres_sql::find_hold, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Hold>();
  auto hold = sql::read_hold(Row(*answer, 0));
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::vector<HoldRecord>> read_hold_records(const Answer& answer) {
  std::vector<HoldRecord> holds;
  for (int i = 0; i < answer.size(); ++i) {
    auto hold = sql::read_hold_record(Row(answer, i));
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
  return std::optional(sql::read_currency(Row(*answer, 0), 0));
}

}  // namespace mizan::postgres
