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

}  // namespace

Result<WriteResult> PlanWriter::write(Plan& plan, WalletWrite what) {
  auto queued = queue(plan, what);
  if (!is_done(queued)) return queued;
  auto answers = session_.run();
  if (!answers) return explain(plan, answers.error());
  keep_next_number(*answers);
  auto checked = check_all(plan, *answers);
  if (!is_done(checked)) return checked;
  step("operations_recorded");
  if (what == WalletWrite::state) step("wallets_written");
  return checked;
}

Result<WriteResult> PlanWriter::write_and_commit(Plan& plan,
                                                 const std::function<void()>& at_commit) {
  auto queued = queue(plan, WalletWrite::state);
  if (!is_done(queued)) return queued;
  if (!checks_itself()) {
    auto answers = session_.run();
    if (!answers) return explain(plan, answers.error());
    keep_next_number(*answers);
    auto checked = check_all(plan, *answers);
    if (!is_done(checked)) return checked;
  }
  at_commit();
  auto committed = session_.run_and_commit();
  if (!committed) return explain(plan, committed.error());
  if (checks_itself()) keep_next_number(*committed);
  return done();
}

/// Lays the plan out and queues the statements that write it.
Result<WriteResult> PlanWriter::queue(Plan& plan, WalletWrite what) {
  if (sql::count_rows(plan) > static_cast<std::size_t>(rows_per_batch)) {
    return internal_error("postgres: write", "one transaction cannot have that many legs");
  }
  if (Status numbered = number(plan); !numbered) return numbered.error();
  auto rows = sql::lay_out(plan, first_, [this](WalletNumber wallet, Sequence entry) {
    return read_jump(wallet, entry);
  });
  if (!rows) return rows.error();
  return send_all(plan, *rows, what);
}

/// The number must be younger than all that the plan continues: then sequences grow along each
/// wallet, because a wallet that somebody else wrote meanwhile is stale.
Status PlanWriter::number(const Plan& plan) {
  if (plan.operations.empty()) return {};
  const auto is_younger = [&plan](std::int64_t number) {
    const Sequence first{number * rows_per_batch};
    return std::none_of(plan.wallets.begin(), plan.wallets.end(), [&](const WalletChange& change) {
      return change.after.links.head >= first;
    });
  };
  // What was left for us is older than what was drawn since, and not to be used after it.
  const auto left = numbers_.take();
  if (!drawn_ && left && is_younger(*left)) drawn_ = left;
  if (!drawn_) {
    auto answer = session_.ask(postgres_sql::draw_batch);
    if (!answer) return answer.error();
    drawn_ = Row(*answer, 0).integer(0);
  }
  first_ = Sequence{*drawn_ * rows_per_batch};
  if (is_younger(*drawn_)) return {};
  return internal_error("postgres: write",
                        "the sequence batches is behind the journal; was it set back?");
}

void PlanWriter::keep_next_number(std::span<const Answer> answers) {
  if (journal_at_) numbers_.put(Row(answers[*journal_at_], 0).integer(1));
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
  // Wallets first, in order of number: nobody who waits for a wallet keeps an id that others wait
  // for.
  send_wallets(rows, what, shape_of(plan));
  send_journal(rows);
  send_holds();
  send_reversals(plan);
  return done();
}

void PlanWriter::send_journal(const sql::PlanRows& rows) {
  if (rows.journal.empty()) return;
  journal_at_ = self_checking_++;
  const JournalShape shape = shape_of(rows.journal);
  session_.send(shape == JournalShape::full ? postgres_sql::append_full_journal
                                            : postgres_sql::append_journal,
                journal_columns(rows.journal, shape));
}

void PlanWriter::send_holds() {
  if (!holds_.created().empty()) {
    session_.send(postgres_sql::insert_holds, created_hold_columns(holds_.created()));
  }
  if (!holds_.changed().empty()) {
    session_.send(postgres_sql::change_holds, changed_hold_columns(holds_.changed()));
  }
}

void PlanWriter::send_reversals(const Plan& plan) {
  if (!has_reversals_) return;
  session_.send(postgres_sql::insert_reversals, reversal_columns(plan));
}

void PlanWriter::send_wallets(const sql::PlanRows& rows, WalletWrite what, WalletShape shape) {
  if (rows.wallets.empty()) return;
  ++self_checking_;
  if (what == WalletWrite::links) {
    session_.send(postgres_sql::write_links, link_columns(rows.wallets));
  } else if (shape == WalletShape::balances) {
    session_.send(postgres_sql::write_balances, balance_columns(rows.wallets));
  } else {
    session_.send(postgres_sql::write_wallets, wallet_columns(rows.wallets));
  }
}

/// The statements on wallets and journal fail by themselves where a row is missing; the others
/// answer which rows they wrote.
bool PlanWriter::checks_itself() const noexcept {
  return holds_.created().empty() && holds_.changed().empty() && !has_reversals_;
}

Result<WriteResult> PlanWriter::check_all(const Plan& plan, std::span<const Answer> answers) const {
  std::size_t next = self_checking_;
  auto holds = check_holds(answers.subspan(next));
  if (!is_done(holds)) return holds;
  next += (holds_.created().empty() ? 0U : 1U) + (holds_.changed().empty() ? 0U : 1U);
  if (has_reversals_) return check_reversals(plan, answers[next]);
  return done();
}

Result<WriteResult> PlanWriter::check_holds(std::span<const Answer> answers) const {
  std::size_t next = 0;
  for (const auto* changes : {&holds_.created(), &holds_.changed()}) {
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

/// What a failed statement means for the plan; the transaction is over.
Result<WriteResult> PlanWriter::explain(const Plan& plan, const Error& error) {
  if (error.certainty == Certainty::unknown) return error;
  const Failure failure = session_.connection().failure();
  if (is_duplicate(failure) && failure.constraint == "journal_operation") {
    return find_duplicate(plan, error);
  }
  if (is_short_of_rows(failure)) return name_stale(plan, error);
  return error;
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

Result<WriteResult> PlanWriter::name_stale(const Plan& plan, const Error& shortage) {
  std::vector<WalletNumber> numbers;
  for (const WalletChange& change : plan.wallets) numbers.push_back(change.after.number);
  auto answer = session_.roll_back_and_ask(postgres_sql::read_revisions, wallet_numbers(numbers));
  if (!answer) return answer.error();
  std::unordered_map<std::int64_t, std::int64_t> revisions;
  for (int i = 0; i < answer->size(); ++i) {
    revisions.emplace(Row(*answer, i).integer(0), Row(*answer, i).integer(1));
  }
  WriteStale stale;
  for (const WalletChange& change : plan.wallets) {
    const auto found = revisions.find(change.after.number.value());
    const auto before = static_cast<std::int64_t>(change.revision_before);
    if (found == revisions.end() || found->second != before) {
      stale.wallets.push_back(change.after.number);
    }
  }
  if (!stale.wallets.empty()) return WriteResult(std::move(stale));
  return internal_error("postgres: write",
                        "rows were not written, or a wallet's entries do not continue what is "
                        "stored: " +
                            shortage.detail);
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
  auto rows = sql::lay_out(plan, first_, {});
  if (!rows) return rows.error();
  for (const HoldChange& hold : holds) {
    if (!holds_.add(hold, hold.after.id)) return WriteResult(WriteDuplicate{hold.after.id});
  }
  send_wallets(*rows, WalletWrite::state, WalletShape::all);
  send_holds();
  auto answers = session_.run();
  if (!answers) return explain(plan, answers.error());
  auto checked = check_all(plan, *answers);
  if (is_done(checked)) step("wallets_written");
  return checked;
}

}  // namespace mizan::postgres
