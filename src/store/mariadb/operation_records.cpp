#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/records.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mizan::mariadb {
namespace {

struct OperationRow : sql::OperationStart {
  std::size_t position = 0;
  bool has_further_legs = false;
  std::optional<MinorUnits> hold_captured;
  HoldStatus hold_status = HoldStatus::open;
};

/// Columns as in find_operations.sql.
Result<OperationRow> read_operation(const Row& row, std::span<const OperationId* const> ids) {
  const auto position = static_cast<std::size_t>(row.integer(0) - 1);
  auto start = sql::read_start(row, 1, *ids[position]);
  if (!start) return start.error();
  OperationRow operation{*std::move(start), position, row.flag(10), std::nullopt, HoldStatus::open};
  if (operation.recorded.refusal) return operation;
  if (!row.is_null(8)) {
    operation.hold_captured = MinorUnits{row.integer(8)};
    const auto status = sql::hold_status_of(row.integer(9), sql::journal_row(operation.sequence));
    if (!status) return status.error();
    operation.hold_status = *status;
  }
  const bool has_legs = !row.is_null(14);
  if (has_legs) operation.recorded.receipt.legs.push_back(sql::read_leg_receipt(row, 11));
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
    row.recorded.receipt.legs.push_back(sql::read_leg_receipt(leg, 1));
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
    if (const OperationId* id = sql::hold_of(*row)) ids.push_back(id);
  }
  const auto holds = find_holds(session, ids);
  if (!holds) return holds.error();
  for (OperationRow* row : rows) {
    const OperationId* id = sql::hold_of(*row);
    if (id == nullptr) continue;
    const auto found = holds->find(*id);
    if (found == holds->end() || !row->hold_captured) {
      return sql::damaged_row(sql::journal_row(row->sequence),
                              "what it left of its hold is missing");
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
  return sql::to_reversible(*std::move(found));
}

}  // namespace mizan::mariadb
