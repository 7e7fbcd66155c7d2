#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/records.hpp"
#include "store/sql/refusal_text.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mizan::mariadb {
namespace {

/// A journal row that begins an operation.
struct OperationRow {
  std::size_t position = 0;
  Sequence sequence;
  RecordedOperation recorded;
  std::optional<OperationId> subject;
  bool has_further_legs = false;
  std::optional<MinorUnits> hold_captured;
  HoldStatus hold_status = HoldStatus::open;
};

/// Columns from `amount` on, as in find_operations.sql and read_further_legs.sql.
LegReceipt read_leg(const Row& row, std::size_t column) {
  LegReceipt leg;
  leg.amount = MinorUnits{row.integer(column)};
  leg.currency = CurrencyCode(row.text(column + 3));
  if (row.is_null(column + 1)) {
    leg.from = world_wallet(leg.currency);
  } else {
    leg.from = WalletId(row.text(column + 1));
    leg.from_balance = MinorUnits{row.integer(column + 4)};
    leg.from_version = static_cast<std::uint64_t>(row.integer(column + 5));
  }
  if (row.is_null(column + 2)) {
    leg.to = world_wallet(leg.currency);
  } else {
    leg.to = WalletId(row.text(column + 2));
    leg.to_balance = MinorUnits{row.integer(column + 6)};
    leg.to_version = static_cast<std::uint64_t>(row.integer(column + 7));
  }
  return leg;
}

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
  if (!row.is_null(6)) {
    auto refusal = sql::decode_refusal(row.text(6));
    if (!refusal) return damaged_row(name, refusal.error().detail);
    operation.recorded.refusal = std::move(*refusal);
    return operation;  // A refusal has no receipt.
  }
  Receipt& receipt = operation.recorded.receipt;
  receipt.id = *ids[operation.position];
  const auto type = read_type(row, 3, operation.sequence);
  if (!type) return type.error();
  receipt.type = *type;
  receipt.applied_at = row.time(4);
  if (!row.is_null(5)) operation.subject = OperationId(row.text(5));
  auto metadata = read_metadata(row, 7, name);
  if (!metadata) return metadata.error();
  receipt.metadata = std::move(*metadata);
  if (!row.is_null(8)) {
    operation.hold_captured = MinorUnits{row.integer(8)};
    const auto status = read_hold_status(row, 9, name);
    if (!status) return status.error();
    operation.hold_status = *status;
  }
  operation.has_further_legs = row.flag(10);
  if (!row.is_null(11)) receipt.legs.push_back(read_leg(row, 11));
  return operation;
}

Result<std::vector<OperationRow>> read_rows(const Answer& answer,
                                            std::span<const OperationId* const> ids) {
  std::vector<OperationRow> rows;
  rows.reserve(answer.size());
  for (std::size_t i = 0; i < answer.size(); ++i) {
    auto row = read_operation(Row(answer, i), ids);
    if (!row) return row.error();
    rows.push_back(std::move(*row));
  }
  return rows;
}

/// The hold that an operation is about, if it is about one.
const OperationId* hold_of(const OperationRow& row) {
  const Receipt& receipt = row.recorded.receipt;
  if (receipt.type == OperationType::hold) return &receipt.id;
  const bool about_hold =
      receipt.type == OperationType::capture || receipt.type == OperationType::void_hold;
  return about_hold && row.subject ? &*row.subject : nullptr;
}

Status complete_legs(Session& session, std::span<OperationRow* const> rows) {
  std::vector<OperationRow*> unfinished;
  std::vector<std::int64_t> sequences;
  for (OperationRow* row : rows) {
    if (!row->has_further_legs) continue;
    unfinished.push_back(row);
    sequences.push_back(row->sequence.value());
  }
  if (unfinished.empty()) return {};
  Parameters parameters;
  parameters.list(sequences);
  auto answer = session.ask(mariadb_sql::read_further_legs, parameters);
  if (!answer) return answer.error();
  for (std::size_t i = 0; i < answer->size(); ++i) {
    const Row leg(*answer, i);
    OperationRow& row = *unfinished[static_cast<std::size_t>(leg.integer(0) - 1)];
    row.recorded.receipt.legs.push_back(read_leg(leg, 1));
  }
  return {};
}

Status complete_reversals(Session& session, std::span<OperationRow* const> rows) {
  std::unordered_map<OperationId, Receipt*> receipts;
  std::vector<const OperationId*> ids;
  for (OperationRow* row : rows) {
    Receipt& receipt = row->recorded.receipt;
    if (receipt.type == OperationType::reverse && row->subject) {
      receipt.reverses = std::make_shared<const OperationId>(*row->subject);
    }
    receipts.emplace(receipt.id, &receipt);
    ids.push_back(&receipt.id);
  }
  auto answer = session.ask(mariadb_sql::find_reversals, operation_ids(ids));
  if (!answer) return answer.error();
  for (std::size_t i = 0; i < answer->size(); ++i) {
    const Row row(*answer, i);
    const auto found = receipts.find(OperationId(row.text(0)));
    if (found == receipts.end()) continue;
    found->second->reversed_by = std::make_shared<const OperationId>(row.text(1));
  }
  return {};
}

Status complete_holds(Session& session, std::span<OperationRow* const> rows) {
  std::vector<const OperationId*> ids;
  for (const OperationRow* row : rows) {
    if (const OperationId* id = hold_of(*row)) ids.push_back(id);
  }
  const auto holds = find_holds(session, ids);
  if (!holds) return holds.error();
  for (OperationRow* row : rows) {
    const OperationId* id = hold_of(*row);
    if (id == nullptr) continue;
    const auto found = holds->find(*id);
    if (found == holds->end() || !row->hold_captured) {
      return damaged_row(journal_row(row->sequence), "what it left of its hold is missing");
    }
    Hold hold = found->second;
    hold.captured = *row->hold_captured;
    hold.status = row->hold_status;
    row->recorded.receipt.hold = std::make_shared<const Hold>(hold);
  }
  return {};
}

/// What receipts have beside their first rows: a statement for each kind, not for each receipt.
Status complete(Session& session, std::span<OperationRow* const> rows) {
  if (rows.empty()) return {};
  if (Status legs = complete_legs(session, rows); !legs) return legs;
  if (Status reversals = complete_reversals(session, rows); !reversals) return reversals;
  return complete_holds(session, rows);
}

}  // namespace

Result<std::vector<KnownOperation>> find_operations(Session& session,
                                                    std::span<const OperationId* const> ids) {
  if (ids.empty()) return std::vector<KnownOperation>();
  auto answer = session.ask(mariadb_sql::find_operations, operation_keys(ids));
  if (!answer) return answer.error();
  return read_operations(session, *answer, ids);
}

Result<std::vector<KnownOperation>> read_operations(Session& session,
                                                    const Answer& answer,
                                                    std::span<const OperationId* const> ids) {
  auto rows = read_rows(answer, ids);
  if (!rows) return rows.error();
  std::vector<KnownOperation> known;
  std::vector<OperationRow*> applied;
  for (OperationRow& row : *rows) {
    if (!row.recorded.refusal) applied.push_back(&row);
  }
  if (Status completed = complete(session, applied); !completed) return completed.error();
  known.reserve(rows->size());
  for (OperationRow& row : *rows) known.push_back({row.position, std::move(row.recorded)});
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

}  // namespace mizan::mariadb
