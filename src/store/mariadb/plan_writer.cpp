#include "store/mariadb/plan_writer.hpp"

#include "base/random.hpp"
#include "store/mariadb/cluster_sequence.hpp"
#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/plan_columns.hpp"
#include "store/mariadb/records.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace mizan::mariadb {
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

std::unordered_set<std::string> texts_in(const Answer& answer) {
  std::unordered_set<std::string> texts;
  for (std::size_t i = 0; i < answer.size(); ++i) texts.emplace(Row(answer, i).text(0));
  return texts;
}

std::vector<const OperationId*> ids_of(const std::vector<sql::HoldChanges::Change>& changes) {
  std::vector<const OperationId*> ids;
  ids.reserve(changes.size());
  for (const sql::HoldChanges::Change& change : changes) ids.push_back(&change.change.after.id);
  return ids;
}

std::unordered_map<std::int64_t, std::int64_t> revisions_in(const Answer& answer) {
  std::unordered_map<std::int64_t, std::int64_t> revisions;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const Row row(answer, i);
    revisions.emplace(row.integer(0), row.integer(1));
  }
  return revisions;
}

}  // namespace

Result<WriteResult> PlanWriter::write(Plan& plan, WalletWrite what) {
  if (sql::count_rows(plan) > static_cast<std::size_t>(rows_per_batch)) {
    return internal_error("mariadb: write", "one transaction cannot have that many legs");
  }
  if (!plan.operations.empty()) {
    if (Status drawn = draw(plan); !drawn) return drawn.error();
  }
  auto rows = sql::lay_out(plan, first_, [this](WalletNumber wallet, Sequence entry) {
    return read_jump(wallet, entry);
  });
  if (!rows) return rows.error();
  auto written = gather_holds(plan);
  if (!is_done(written)) return written;
  add_wallets(*rows, what);
  const JournalShape shape = shape_of(rows->journal);
  add_part(
      Part::What::journal,
      shape == JournalShape::full ? mariadb_sql::append_full_journal : mariadb_sql::append_journal,
      journal_columns(rows->journal, shape));
  add_holds();
  add_part(Part::What::reversals, mariadb_sql::insert_reversals, reversal_columns(plan));
  add_outbox(*rows);
  written = write_parts(plan, *rows);
  if (!is_done(written)) return written;
  step("operations_recorded");
  if (what == WalletWrite::state) step("wallets_written");
  return written;
}

Result<std::int64_t> PlanWriter::draw_number() {
  auto answer = session_.ask(mariadb_sql::draw_batch);
  if (!answer) return answer.error();
  return Row(*answer, 0).integer(0);
}

Status PlanWriter::draw(const Plan& plan) {
  if (is_on_cluster()) return draw_on_cluster(plan);
  std::int64_t used = 0;
  for (const WalletChange& change : plan.wallets) {
    used = std::max(used, change.after.links.head.value() / rows_per_batch);
  }
  // What was left for us is older than what was drawn since, and not to be used after it.
  const auto left = numbers_.take();
  const auto ours = number_ ? number_ : left;
  auto number = ours ? Result<std::int64_t>(*ours) : draw_number();
  if (!number) return number.error();
  // One that was drawn before others wrote to our wallets may be overtaken by now.
  if (*number <= used) number = draw_number();
  if (!number) return number.error();
  if (*number <= used) {
    const std::int64_t numbers[] = {used};
    if (Status raised = session_.tell(mariadb_sql::raise_batches, numbers); !raised) return raised;
    number = draw_number();
    if (!number) return number.error();
    if (*number <= used) {
      return internal_error("mariadb: draw_batch", "the numbers of transactions do not grow");
    }
  }
  first_ = Sequence{*number * rows_per_batch};
  return {};
}

Status PlanWriter::draw_on_cluster(const Plan& plan) {
  Sequence used;
  for (const WalletChange& change : plan.wallets) used = std::max(used, change.after.links.head);
  const auto first = cluster_sequence(system_clock().wall_now(), used, system_random());
  if (!first) return internal_error("mariadb: draw_batch", "the journal's numbers are used up");
  first_ = *first;
  return {};
}

Result<WriteResult> PlanWriter::gather_holds(const Plan& plan) {
  for (const PlannedOperation& operation : plan.operations) {
    if (operation.refusal || !operation.hold) continue;
    if (!holds_.add(*operation.hold, operation.id)) {
      return WriteResult(WriteDuplicate{operation.id});
    }
  }
  return done();
}

void PlanWriter::add_part(Part::What what, std::string_view statement, Parameters parameters) {
  const auto rows = static_cast<std::int64_t>(parameters.rows());
  if (rows == 0) return;
  const std::int64_t expected = what == Part::What::wallets ? 2 * rows : rows;
  parts_.push_back({what, statement, std::move(parameters), expected});
}

void PlanWriter::add_wallets(const sql::PlanRows& rows, WalletWrite what) {
  if (what == WalletWrite::links) {
    add_part(Part::What::links, mariadb_sql::write_links, link_columns(rows.wallets));
  } else {
    add_part(Part::What::wallets, mariadb_sql::write_wallets, wallet_columns(rows.wallets));
  }
}

void PlanWriter::add_holds() {
  add_part(
      Part::What::created_holds, mariadb_sql::insert_holds, created_hold_columns(holds_.created()));
  add_part(
      Part::What::changed_holds, mariadb_sql::change_holds, changed_hold_columns(holds_.changed()));
}

void PlanWriter::add_outbox(const sql::PlanRows& rows) {
  if (rows.journal.empty()) return;
  Parameters parameters;
  parameters.integer(first_.value()).integer(static_cast<std::int64_t>(rows.journal.size()));
  add_part(Part::What::outbox, mariadb_sql::insert_outbox, std::move(parameters));
}

Result<WriteResult> PlanWriter::write_parts(const Plan& plan, const sql::PlanRows& rows) {
  if (parts_.empty()) return done();
  std::vector<Question> questions;
  for (const Part& part : parts_) {
    const bool is_for_rows = part.what != Part::What::outbox;  // Which selects what it inserts.
    questions.push_back({part.statement, part.parameters, is_for_rows});
  }
  const Parameters none;
  const bool draws = !rows.journal.empty() && !is_on_cluster();
  if (draws) questions.push_back({mariadb_sql::draw_batch, none});
  const Answers answers = session_.ask_all(questions);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i == answers.all.size()) {
      return explain_failure(parts_[i].what, plan, rows, answers);
    }
    const std::int64_t counted = answers.all[i].affected();
    if (counted != parts_[i].expected) return explain_count(parts_[i], rows, counted);
  }
  if (answers.error) return *answers.error;
  if (draws) numbers_.put(Row(answers.all.back(), 0).integer(0));
  return done();
}

Result<WriteResult> PlanWriter::explain_failure(Part::What what,
                                                const Plan& plan,
                                                const sql::PlanRows& rows,
                                                const Answers& answers) {
  const Error& error = *answers.error;
  if (what == Part::What::wallets && is_constraint(answers.failure))
    return name_stale(rows.wallets, error);
  if (!is_duplicate(answers.failure)) return error;
  if (what == Part::What::journal) return find_duplicate(plan, error);
  if (what == Part::What::created_holds) return find_known_hold(error);
  if (what == Part::What::reversals) return find_reversed(plan, error);
  return error;
}

Result<WriteResult> PlanWriter::explain_count(const Part& part,
                                              const sql::PlanRows& rows,
                                              std::int64_t counted) {
  const Error wrong = session_.explain(internal_error(
      "mariadb: write",
      "expected " + std::to_string(part.expected) + " rows, got " + std::to_string(counted)));
  if (wrong.retry == Retry::now) return wrong;
  if (part.what == Part::What::changed_holds) return find_changed_hold();
  if (part.what != Part::What::wallets) return wrong;  // Their rows were ours before.
  session_.roll_back();
  return name_stale(rows.wallets, wrong);
}

Result<WriteResult> PlanWriter::find_known_hold(const Error& violation) {
  auto answer = session_.ask_afterwards(mariadb_sql::read_holds_by_id,
                                        operation_ids(ids_of(holds_.created())));
  if (!answer) return answer.error();
  const auto known = texts_in(*answer);
  for (const sql::HoldChanges::Change& change : holds_.created()) {
    if (known.contains(change.change.after.id.str())) {
      return WriteResult(WriteDuplicate{*change.operation});
    }
  }
  return violation;
}

Result<WriteResult> PlanWriter::find_changed_hold() {
  auto answer =
      session_.ask(mariadb_sql::read_holds_by_id, operation_ids(ids_of(holds_.changed())));
  if (!answer) return answer.error();
  std::unordered_map<std::string, std::pair<std::int64_t, std::int64_t>> now;
  for (std::size_t i = 0; i < answer->size(); ++i) {
    const Row row(*answer, i);
    now[std::string(row.text(0))] = {row.integer(1), row.integer(2)};
  }
  for (const sql::HoldChanges::Change& change : holds_.changed()) {
    const HoldRecord& after = change.change.after;
    const auto found = now.find(after.id.str());
    const std::pair<std::int64_t, std::int64_t> wanted{after.captured.value(),
                                                       static_cast<std::int64_t>(after.status)};
    if (found == now.end() || found->second != wanted) {
      return WriteResult(WriteDuplicate{*change.operation});
    }
  }
  // Somebody else did to one of them just what we wanted to do.
  return WriteResult(WriteDuplicate{*holds_.changed().front().operation});
}

Result<WriteResult> PlanWriter::find_reversed(const Plan& plan, const Error& violation) {
  std::vector<const OperationId*> reversed;
  for (const PlannedOperation& operation : plan.operations) {
    if (operation.reverses && !operation.refusal) reversed.push_back(operation.reverses.get());
  }
  auto answer = session_.ask_afterwards(mariadb_sql::find_reversals, operation_ids(reversed));
  if (!answer) return answer.error();
  auto taken = texts_in(*answer);
  for (const PlannedOperation& operation : plan.operations) {
    if (!operation.reverses || operation.refusal) continue;
    // The second of two in one plan finds it taken too.
    if (!taken.insert(operation.reverses->str()).second) {
      return WriteResult(WriteDuplicate{operation.id});
    }
  }
  return violation;
}

Result<WriteResult> PlanWriter::find_duplicate(const Plan& plan, const Error& violation) {
  std::vector<const OperationId*> ids;
  for (const PlannedOperation& operation : plan.operations) ids.push_back(&operation.id);
  auto answer = session_.ask_afterwards(mariadb_sql::find_operations,
                                        operation_keys(std::span<const OperationId* const>(ids)));
  if (!answer) return answer.error();
  std::size_t first = plan.operations.size();
  for (std::size_t i = 0; i < answer->size(); ++i) {
    first = std::min(first, static_cast<std::size_t>(Row(*answer, i).integer(0) - 1));
  }
  if (first < plan.operations.size()) {
    return WriteResult(WriteDuplicate{plan.operations[first].id});
  }
  const PlannedOperation* repeated = find_repeated(plan);
  if (repeated != nullptr) return WriteResult(WriteDuplicate{repeated->id});
  if (!is_on_cluster()) return violation;
  // Two transactions of one moment chose the same numbers.
  return Error{Code::contended,
               Certainty::not_applied,
               Retry::now,
               "mariadb: append_journal",
               "another transaction has the same number; the transaction is run again"};
}

Result<WriteResult> PlanWriter::name_stale(std::span<const sql::WalletRow> rows,
                                           const Error& violation) {
  std::vector<WalletNumber> numbers;
  for (const sql::WalletRow& row : rows) numbers.push_back(row.change->after.number);
  auto answer = session_.ask_afterwards(mariadb_sql::read_revisions, wallet_numbers(numbers));
  if (!answer) return answer.error();
  const auto revisions = revisions_in(*answer);
  WriteStale stale;
  for (const sql::WalletRow& row : rows) {
    const auto found = revisions.find(row.change->after.number.value());
    const bool is_same = found != revisions.end() &&
                         found->second == static_cast<std::int64_t>(row.change->revision_before);
    if (!is_same) stale.wallets.push_back(row.change->after.number);
  }
  if (!stale.wallets.empty()) return WriteResult(std::move(stale));
  return internal_error("mariadb: write",
                        "wallet number " +
                            std::to_string(rows.front().change->after.number.value()) +
                            " or one after it: its entries do not continue what is stored, or it "
                            "breaks a rule of its table (" +
                            violation.detail + ")");
}

Result<Sequence> PlanWriter::read_jump(WalletNumber wallet, Sequence entry) {
  Parameters parameters;
  parameters.integer(wallet.value()).integer(entry.value());
  auto answer = session_.ask(mariadb_sql::read_jump, parameters);
  if (!answer) return answer.error();
  return Sequence{answer->empty() ? 0 : Row(*answer, 0).integer(0)};
}

Result<WriteResult> PlanWriter::write_expiry(std::span<const HoldChange> holds,
                                             std::span<WalletChange> wallets) {
  Plan plan;
  plan.wallets.assign(wallets.begin(), wallets.end());
  auto rows = sql::lay_out(plan, first_, {});
  if (!rows) return rows.error();
  for (const HoldChange& hold : holds) {
    if (!holds_.add(hold, hold.after.id)) return WriteResult(WriteDuplicate{hold.after.id});
  }
  add_wallets(*rows, WalletWrite::state);
  add_holds();
  auto written = write_parts(plan, *rows);
  if (is_done(written)) step("wallets_written");
  return written;
}

}  // namespace mizan::mariadb
