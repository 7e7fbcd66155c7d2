#include "store/sqlite/records.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/operation_key.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mizan::sqlite {
namespace {

struct OperationRow : sql::OperationStart {
  bool has_legs = false;
};

Result<std::optional<OperationRow>> find_row(Connection& connection, const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_operation);
  const OperationKey key(id);
  key.bind_to(statement, 1);
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<OperationRow>();
  auto start = sql::read_start(statement, 0, id);
  if (!start) return start.error();
  return std::optional(OperationRow{*std::move(start), statement.flag(7)});
}

Result<std::vector<LegReceipt>> read_legs(Connection& connection, const OperationRow& row) {
  std::vector<LegReceipt> legs;
  if (!row.has_legs) return legs;
  Statement statement = connection.statement(sqlite_sql::read_operation_legs);
  statement.bind(1, row.sequence.value()).bind(2, static_cast<std::int64_t>(legs_max));
  for (;;) {
    auto found = statement.step();
    if (!found) return found.error();
    const bool next_operation = *found && !legs.empty() && statement.integer(0) != 0;
    if (!*found || next_operation) return legs;
    legs.push_back(sql::read_leg_receipt(statement, 1));
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
    auto state = sql::read_wallet_state(row, 0);
    if (!state) return state.error();
    states.emplace_back(*state);
  }
  return states;
}

/// The hold of a hold, capture or void as that operation left it.
Result<std::shared_ptr<const Hold>> find_hold_after(Connection& connection,
                                                    const OperationRow& row) {
  const OperationId* hold_id = sql::hold_of(row);
  if (hold_id == nullptr) return std::shared_ptr<const Hold>();
  auto hold = find_hold(connection, *hold_id);
  if (!hold) return hold.error();
  Statement statement = connection.statement(sqlite_sql::find_hold_state);
  statement.bind(1, row.sequence.value());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*hold || !*found) {
    return sql::damaged_row(sql::journal_row(row.sequence), "what it left of its hold is missing");
  }
  Hold after = **hold;
  const auto status = sql::hold_status_of(statement.integer(1), sql::hold_row(after.id));
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
  if (!found.recorded.refusal) {
    if (Status completed = complete_receipt(connection, found); !completed) {
      return completed.error();
    }
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
  auto hold = sql::read_hold_record(statement);
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::optional<Hold>> find_hold(Connection& connection, const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_hold);
  statement.bind(1, id.view());
  auto found = statement.step();
  if (!found) return found.error();
  if (!*found) return std::optional<Hold>();
  auto hold = sql::read_hold(statement);
  if (!hold) return hold.error();
  return std::optional(*hold);
}

Result<std::vector<HoldRecord>> read_hold_records(Statement& statement) {
  std::vector<HoldRecord> holds;
  for (;;) {
    auto found = statement.step();
    if (!found) return found.error();
    if (!*found) return holds;
    auto hold = sql::read_hold_record(statement);
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
  return std::optional(sql::read_currency(statement, 0));
}

}  // namespace mizan::sqlite
