// The ports' destructors, out of line so that each class has one home for its type information, and
// what a port does by its own other functions.

#include "mizan/document_table.hpp"
#include "mizan/epoch_table.hpp"
#include "mizan/event_log.hpp"
#include "mizan/key_table.hpp"
#include "mizan/sql.hpp"
#include "mizan/store.hpp"

#include <utility>
#include <variant>

namespace mizan {

Snapshot::~Snapshot() = default;
Transaction::~Transaction() = default;
Store::~Store() = default;
EpochTable::~EpochTable() = default;
EventLog::~EventLog() = default;
DocumentTable::~DocumentTable() = default;
KeyTable::~KeyTable() = default;
SqlSession::~SqlSession() = default;
GuardTransaction::~GuardTransaction() = default;
GuardTable::~GuardTable() = default;

Result<std::int64_t> EpochTable::next_epoch_within(std::int64_t above,
                                                   std::chrono::milliseconds /*limit*/) {
  return next_epoch(above);
}

Result<StartAnswer> Transaction::start(const StartQuestion& question) {
  StartAnswer answer;
  auto due = load_due_holds(question.now, question.due_holds_max);
  if (!due) return std::move(due).error();
  answer.due_holds = *std::move(due);
  if (!answer.due_holds.empty()) return answer;
  auto known = claim(question.ids);
  if (!known) return std::move(known).error();
  answer.known = *std::move(known);
  if (question.wallets.empty()) return answer;
  auto wallets = load_wallets(question.wallets, question.lock);
  if (!wallets) return std::move(wallets).error();
  answer.wallets = *std::move(wallets);
  return answer;
}

Result<WriteResult> Transaction::write_and_commit(Plan& plan,
                                                  const std::function<void()>& at_commit) {
  auto written = write(plan);
  if (!written || !std::holds_alternative<WritesDone>(*written)) return written;
  at_commit();
  if (Status committed = commit(); !committed) return committed.error();
  return written;
}

}  // namespace mizan
