#include "store/sqlite/plan_writer.hpp"

#include "store/sqlite/batch_builder.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/error_map.hpp"
#include "store/sqlite/operation_key.hpp"
#include "store/sqlite/records.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <string>

namespace mizan::sqlite {
namespace {

bool is_done(const Result<WriteResult>& result) {
  return result && std::holds_alternative<WritesDone>(*result);
}

WriteResult done() {
  return WritesDone{};
}

Result<bool> is_recorded(Connection& connection, const OperationId& id) {
  Statement statement = connection.statement(sqlite_sql::find_operation);
  const OperationKey key(id);
  key.bind_to(statement, 1);
  return statement.step();
}

Error does_not_continue(WalletNumber wallet) {
  return internal_error("sqlite: write",
                        "wallet number " + std::to_string(wallet.value()) +
                            ": its entries do not continue what is stored");
}

/// The operation whose id comes a second time in the plan, if there is one.
const PlannedOperation* find_repeated(const Plan& plan) {
  std::vector<const PlannedOperation*> sorted;
  for (const PlannedOperation& operation : plan.operations) sorted.push_back(&operation);
  std::stable_sort(
      sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  const auto repeated = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->id == b->id; });
  return repeated == sorted.end() ? nullptr : *repeated;
}

}  // namespace

Result<WriteResult> PlanWriter::write(Plan& plan, WalletWrite what) {
  Batch& batch = scope_.batch();
  BatchBuilder builder(scope_.connection(), batch, scope_.last());
  if (Status built = builder.build(plan); !built) return built.error();
  const Sequence first{scope_.last().value() + 1};
  auto result = append_journal(plan);
  if (!is_done(result)) return result;
  result = write_further(plan, first);
  if (!is_done(result)) return result;
  scope_.step("operations_recorded");
  if (what == WalletWrite::links) return write_links(batch.balances);
  result = write_states();
  if (is_done(result)) scope_.step("wallets_written");
  return result;
}

Result<WriteResult> PlanWriter::append_journal(const Plan& plan) {
  const Batch& batch = scope_.batch();
  if (batch.journal.empty()) return done();
  Connection& connection = scope_.connection();
  const auto count = static_cast<std::int64_t>(batch.journal.size());
  const Sequence expected{scope_.last().value() + count};
  scope_.marks().raise(batch.journal);
  {
    Statement statement = connection.statement(
        batch.texts.empty() ? sqlite_sql::append_plain_journal : sqlite_sql::append_journal);
    const int code = statement.run_code();
    if (code != SQLITE_OK) {
      const Error violation = statement.error(code);
      if (is_duplicate(code)) return find_duplicate(plan, violation);
      return violation;
    }
  }
  if (connection.changes() != count || connection.last_rowid() != expected.value()) {
    scope_.forget_end();
    return internal_error("sqlite: append_journal",
                          "expected " + std::to_string(count) + " rows up to sequence " +
                              std::to_string(expected.value()) + ", got " +
                              std::to_string(connection.changes()) + " up to " +
                              std::to_string(connection.last_rowid()));
  }
  scope_.set_last(expected);
  return done();
}

Result<WriteResult> PlanWriter::find_duplicate(const Plan& plan, const Error& violation) {
  for (const PlannedOperation& operation : plan.operations) {
    auto recorded = is_recorded(scope_.connection(), operation.id);
    if (!recorded) return recorded.error();
    if (*recorded) return WriteResult(WriteDuplicate{operation.id});
  }
  if (const PlannedOperation* repeated = find_repeated(plan)) {
    return WriteResult(WriteDuplicate{repeated->id});
  }
  return violation;
}

Result<WriteResult> PlanWriter::write_further(const Plan& plan, Sequence first) {
  Sequence sequence = first;
  for (const PlannedOperation& operation : plan.operations) {
    Result<WriteResult> written = done();
    if (operation.reverses && !operation.refusal) written = write_reversal(operation);
    if (!is_done(written)) return written;
    if (operation.hold && !operation.refusal) written = write_hold(operation, sequence);
    if (!is_done(written)) return written;
    sequence = Sequence{sequence.value() + static_cast<std::int64_t>(journal_rows(operation))};
  }
  return done();
}

Result<WriteResult> PlanWriter::write_reversal(const PlannedOperation& operation) {
  Statement statement = scope_.connection().statement(sqlite_sql::insert_reversal);
  statement.bind(1, operation.reverses->view()).bind(2, operation.id.view());
  const int code = statement.run_code();
  if (is_duplicate(code)) return WriteResult(WriteDuplicate{operation.id});
  if (code != SQLITE_OK) return statement.error(code);
  return done();
}

Result<WriteResult> PlanWriter::write_hold(const PlannedOperation& operation, Sequence sequence) {
  const HoldChange& change = *operation.hold;
  const bool created = change.kind == HoldChange::Kind::create;
  auto written =
      created ? create_hold(change.after, operation.id) : change_hold(change, operation.id);
  if (!is_done(written)) return written;
  Statement statement = scope_.connection().statement(sqlite_sql::insert_hold_state);
  statement.bind(1, sequence.value())
      .bind(2, change.after.captured.value())
      .bind(3, static_cast<std::int64_t>(change.after.status));
  if (Status ran = statement.run(); !ran) return ran.error();
  return done();
}

Result<WriteResult> PlanWriter::create_hold(const HoldRecord& hold, const OperationId& operation) {
  Statement statement = scope_.connection().statement(sqlite_sql::insert_hold);
  statement.bind(1, hold.id.view())
      .bind(2, hold.wallet.value())
      .bind(3, hold.to.value())
      .bind(4, hold.amount.value())
      .bind(5, hold.captured.value())
      .bind(6, static_cast<std::int64_t>(hold.status))
      .bind(8, to_integer(hold.created_at));
  std::optional<std::int64_t> expires_at;
  if (hold.expires_at) expires_at = to_integer(*hold.expires_at);
  statement.bind(7, expires_at);
  const int code = statement.run_code();
  if (is_duplicate(code)) return WriteResult(WriteDuplicate{operation});
  if (code != SQLITE_OK) return statement.error(code);
  return done();
}

Result<WriteResult> PlanWriter::change_hold(const HoldChange& change,
                                            const OperationId& operation) {
  Statement statement = scope_.connection().statement(sqlite_sql::change_hold);
  statement.bind(1, change.after.id.view())
      .bind(2, change.after.captured.value())
      .bind(3, static_cast<std::int64_t>(change.after.status))
      .bind(4, change.captured_before.value())
      .bind(5, static_cast<std::int64_t>(change.status_before));
  if (Status ran = statement.run(); !ran) return ran.error();
  if (scope_.connection().changes() != 1) return WriteResult(WriteDuplicate{operation});
  return done();
}

Result<WriteResult> PlanWriter::write_states() {
  const Batch& batch = scope_.batch();
  if (batch.balances.empty()) return done();
  Connection& connection = scope_.connection();
  if (Status ran = connection.statement(sqlite_sql::write_balances).run(); !ran) return ran.error();
  const auto count = static_cast<std::int64_t>(batch.balances.size());
  if (batch.continued == batch.balances.size() && connection.changes() == count) return done();
  if (!batch.broken.empty()) return does_not_continue(batch.broken.front());
  if (!batch.stale.empty()) return WriteResult(WriteStale{batch.stale});
  return internal_error("sqlite: write_balances", "a wallet of the batch has no balance");
}

Result<WriteResult> PlanWriter::write_links(const std::vector<BalanceRow>& rows) {
  Connection& connection = scope_.connection();
  for (const BalanceRow& row : rows) {
    Statement statement = connection.statement(sqlite_sql::write_links);
    statement.bind(1, row.wallet)
        .bind(2, row.head)
        .bind(3, row.block)
        .bind(4, row.version)
        .bind(5, row.balance);
    if (Status ran = statement.run(); !ran) return ran.error();
    if (connection.changes() != 1) return does_not_continue(WalletNumber{row.wallet});
  }
  return done();
}

Result<WriteResult> PlanWriter::write_expiry(std::span<const HoldChange> holds,
                                             std::span<WalletChange> wallets) {
  for (const HoldChange& hold : holds) {
    auto changed = change_hold(hold, hold.after.id);
    if (!is_done(changed)) return changed;
  }
  Plan plan;
  plan.wallets.assign(wallets.begin(), wallets.end());
  BatchBuilder builder(scope_.connection(), scope_.batch(), scope_.last());
  if (Status built = builder.build(plan); !built) return built.error();
  auto written = write_states();
  if (is_done(written)) scope_.step("wallets_written");
  return written;
}

Result<bool> has_revision(Connection& connection, std::int64_t wallet, std::int64_t revision) {
  Statement statement = connection.statement(sqlite_sql::find_revision);
  statement.bind(1, wallet);
  auto found = statement.step();
  if (!found) return found;
  return *found && statement.integer(0) == revision;
}

}  // namespace mizan::sqlite
