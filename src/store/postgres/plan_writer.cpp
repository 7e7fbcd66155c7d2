#include "store/postgres/plan_writer.hpp"

#include "store/postgres/plan_columns.hpp"
#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/records.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace mizan::postgres {
namespace {

WriteResult done() {
  return WritesDone{};
}

bool is_done(const Result<WriteResult>& result) {
  return result && std::holds_alternative<WritesDone>(*result);
}

/// Who has this id a second time in the plan, or nobody.
const PlannedOperation* find_repeated(const Plan& plan) {
  std::unordered_set<OperationId> seen;
  for (const PlannedOperation& operation : plan.operations) {
    if (!seen.insert(operation.id).second) return &operation;
  }
  return nullptr;
}

/// The ids of an answer; those that are not among them were not written.
std::unordered_set<std::string_view> ids_in(const Answer& answer) {
  std::unordered_set<std::string_view> ids;
  for (int i = 0; i < answer.size(); ++i) ids.insert(Row(answer, i).text(0));
  return ids;
}

Error wrong_count(std::string_view what, std::size_t expected, std::int64_t actual) {
  return internal_error(
      "postgres: " + std::string(what),
      "expected " + std::to_string(expected) + " rows, got " + std::to_string(actual));
}

}  // namespace

Result<WriteResult> PlanWriter::write(Plan& plan, WalletWrite what) {
  if (sql::count_rows(plan) > static_cast<std::size_t>(rows_per_batch)) {
    return internal_error("postgres: write", "one transaction cannot have that many legs");
  }
  auto prepared = prepare(plan, what);
  if (!is_done(prepared)) return prepared;
  auto rows = sql::lay_out(plan, first_, [this](WalletNumber wallet, Sequence entry) {
    return read_jump(wallet, entry);
  });
  if (!rows) return rows.error();
  auto sent = send_all(plan, *rows, what);
  if (!is_done(sent)) return sent;
  auto answers = session_.run();
  if (!answers) {
    const Failure failure = session_.connection().failure();
    const bool is_known_id = is_duplicate(failure) && failure.constraint == "journal_operation";
    if (is_known_id) return find_duplicate(plan, answers.error());
    return answers.error();
  }
  auto checked = check_all(plan, *rows, *answers);
  if (!is_done(checked)) return checked;
  step("operations_recorded");
  if (what == WalletWrite::state) step("wallets_written");
  return checked;
}

Result<WriteResult> PlanWriter::prepare(const Plan& plan, WalletWrite what) {
  const bool locks = what == WalletWrite::state && !plan.wallets.empty();
  const bool draws = !plan.operations.empty();
  if (!locks && !draws) return done();
  std::vector<WalletNumber> numbers;
  if (locks) {
    for (const WalletChange& change : plan.wallets) numbers.push_back(change.after.number);
    session_.send(postgres_sql::lock_revisions, wallet_numbers(numbers));
  }
  if (draws) session_.send(postgres_sql::draw_batch);
  auto answers = session_.run();
  if (!answers) return answers.error();
  if (draws) first_ = Sequence{Row(answers->back(), 0).integer(0) * rows_per_batch};
  if (!locks) return done();
  std::unordered_map<std::int64_t, std::int64_t> revisions;
  const Answer& locked = answers->front();
  for (int i = 0; i < locked.size(); ++i) {
    const Row row(locked, i);
    revisions.emplace(row.integer(0), row.integer(1));
  }
  WriteStale stale;
  for (const WalletChange& change : plan.wallets) {
    const auto found = revisions.find(change.after.number.value());
    if (found == revisions.end() ||
        found->second != static_cast<std::int64_t>(change.revision_before)) {
      stale.wallets.push_back(change.after.number);
    }
  }
  if (!stale.wallets.empty()) return WriteResult(std::move(stale));
  return done();
}

Result<WriteResult> PlanWriter::send_all(const Plan& plan,
                                         const sql::PlanRows& rows,
                                         WalletWrite what) {
  for (const PlannedOperation& operation : plan.operations) {
    if (operation.refusal) continue;
    has_reversals_ = has_reversals_ || operation.reverses;
    if (operation.hold && !holds_.add(*operation.hold, operation.id)) {
      return WriteResult(WriteDuplicate{operation.id});
    }
  }
  send_journal(rows);
  send_holds(holds_);
  send_reversals(plan);
  send_wallets(rows, what);
  return done();
}

void PlanWriter::send_journal(const sql::PlanRows& rows) {
  if (rows.journal.empty()) return;
  const JournalShape shape = shape_of(rows.journal);
  session_.send(shape == JournalShape::full ? postgres_sql::append_full_journal
                                            : postgres_sql::append_journal,
                journal_columns(rows.journal, shape));
}

void PlanWriter::send_holds(const sql::HoldChanges& holds) {
  if (!holds.created().empty()) {
    session_.send(postgres_sql::insert_holds, created_hold_columns(holds.created()));
  }
  if (!holds.changed().empty()) {
    session_.send(postgres_sql::change_holds, changed_hold_columns(holds.changed()));
  }
}

void PlanWriter::send_reversals(const Plan& plan) {
  if (!has_reversals_) return;
  session_.send(postgres_sql::insert_reversals, reversal_columns(plan));
}

void PlanWriter::send_wallets(const sql::PlanRows& rows, WalletWrite what) {
  if (rows.wallets.empty()) return;
  if (what == WalletWrite::links) {
    session_.send(postgres_sql::write_links, link_columns(rows.wallets));
  } else {
    session_.send(postgres_sql::write_wallets, wallet_columns(rows.wallets));
  }
}

Result<WriteResult> PlanWriter::check_all(const Plan& plan,
                                          const sql::PlanRows& rows,
                                          const std::vector<Answer>& answers) {
  std::size_t next = 0;
  if (!rows.journal.empty()) {
    const std::int64_t inserted = answers[next++].affected();
    if (inserted != static_cast<std::int64_t>(rows.journal.size())) {
      return wrong_count("append_journal", rows.journal.size(), inserted);
    }
  }
  auto holds = check_holds(holds_, std::span(answers).subspan(next));
  if (!is_done(holds)) return holds;
  next += (holds_.created().empty() ? 0U : 1U) + (holds_.changed().empty() ? 0U : 1U);
  if (has_reversals_) {
    auto reversals = check_reversals(plan, answers[next++]);
    if (!is_done(reversals)) return reversals;
  }
  if (rows.wallets.empty()) return done();
  if (answers[next].affected() != static_cast<std::int64_t>(rows.wallets.size())) {
    return name_stale(rows.wallets);
  }
  return done();
}

Result<WriteResult> PlanWriter::check_holds(const sql::HoldChanges& holds,
                                            std::span<const Answer> answers) const {
  std::size_t next = 0;
  for (const auto* changes : {&holds.created(), &holds.changed()}) {
    if (changes->empty()) continue;
    const auto written = ids_in(answers[next++]);
    const auto missed =
        std::find_if(changes->begin(), changes->end(), [&](const sql::HoldChanges::Change& one) {
          return !written.contains(one.change.after.id.view());
        });
    if (missed != changes->end()) return WriteResult(WriteDuplicate{*missed->operation});
  }
  return done();
}

Result<WriteResult> PlanWriter::check_reversals(const Plan& plan, const Answer& answer) const {
  auto written = ids_in(answer);
  for (const PlannedOperation& operation : plan.operations) {
    if (!operation.reverses || operation.refusal) continue;
    // Each is there once: the second of two in one plan finds it taken.
    if (written.erase(operation.reverses->view()) == 0) {
      return WriteResult(WriteDuplicate{operation.id});
    }
  }
  return done();
}

Result<WriteResult> PlanWriter::find_duplicate(const Plan& plan, const Error& violation) {
  Parameters keys;
  keys.array(Type::bytes_array, plan.operations.size(), [&](ArrayWriter& out, std::size_t i) {
    out.text(operation_key(plan.operations[i].id));
  });
  auto answer = session_.roll_back_and_ask(postgres_sql::find_operations, keys);
  if (!answer) return answer.error();
  std::size_t first = plan.operations.size();
  for (int i = 0; i < answer->size(); ++i) {
    first = std::min(first, static_cast<std::size_t>(Row(*answer, i).integer(0) - 1));
  }
  if (first < plan.operations.size()) {
    return WriteResult(WriteDuplicate{plan.operations[first].id});
  }
  const PlannedOperation* repeated = find_repeated(plan);
  if (repeated != nullptr) return WriteResult(WriteDuplicate{repeated->id});
  return violation;
}

Result<WriteResult> PlanWriter::name_stale(std::span<const sql::WalletRow> rows) {
  std::vector<WalletNumber> numbers;
  for (const sql::WalletRow& row : rows) numbers.push_back(row.change->after.number);
  auto answer = session_.ask(postgres_sql::read_revisions, wallet_numbers(numbers));
  if (!answer) return answer.error();
  std::unordered_map<std::int64_t, std::int64_t> revisions;
  for (int i = 0; i < answer->size(); ++i) {
    revisions.emplace(Row(*answer, i).integer(0), Row(*answer, i).integer(1));
  }
  // Those that the statement has written have the revision after.
  WriteStale stale;
  for (const sql::WalletRow& row : rows) {
    const auto found = revisions.find(row.change->after.number.value());
    const bool known = found != revisions.end() &&
                       (found->second == static_cast<std::int64_t>(row.change->revision_before) ||
                        found->second == static_cast<std::int64_t>(row.change->after.revision));
    if (!known) stale.wallets.push_back(row.change->after.number);
  }
  if (!stale.wallets.empty()) return WriteResult(std::move(stale));
  return internal_error("postgres: write",
                        "wallet number " +
                            std::to_string(rows.front().change->after.number.value()) +
                            " or one after it: its entries do not continue what is stored");
}

Result<Sequence> PlanWriter::read_jump(WalletNumber wallet, Sequence entry) {
  Parameters parameters;
  parameters.integer(entry.value()).integer(wallet.value());
  auto answer = session_.ask(postgres_sql::read_jump, parameters);
  if (!answer) return answer.error();
  return Sequence{answer->empty() ? 0 : Row(*answer, 0).integer(0)};
}

Result<WriteResult> PlanWriter::write_expiry(std::span<const HoldChange> holds,
                                             std::span<WalletChange> wallets) {
  Plan plan;
  plan.wallets.assign(wallets.begin(), wallets.end());
  auto prepared = prepare(plan, WalletWrite::state);
  if (!is_done(prepared)) return prepared;
  auto rows = sql::lay_out(plan, first_, {});
  if (!rows) return rows.error();
  for (const HoldChange& hold : holds) {
    if (!holds_.add(hold, hold.after.id)) return WriteResult(WriteDuplicate{hold.after.id});
  }
  send_holds(holds_);
  send_wallets(*rows, WalletWrite::state);
  auto answers = session_.run();
  if (!answers) return answers.error();
  auto checked = check_all(plan, *rows, *answers);
  if (is_done(checked)) step("wallets_written");
  return checked;
}

}  // namespace mizan::postgres
