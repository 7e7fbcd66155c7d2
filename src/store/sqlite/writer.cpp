#include "store/sqlite/writer.hpp"

#include "store/sqlite/database_file.hpp"
#include "store/sqlite/error_map.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/schema_check.hpp"
#include "store/sqlite/sqlite_sql.hpp"
#include "store/sqlite/wal_buffer.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>

namespace mizan::sqlite {
namespace {

/// How long SQLite itself waits for a lock that another program holds.
constexpr std::chrono::milliseconds busy_wait_max{10'000};

std::chrono::milliseconds time_left(const Clock& clock, Deadline deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock.now());
  return std::clamp(left, std::chrono::milliseconds(0), busy_wait_max);
}

}  // namespace

Writer::Writer(OwnerLock owner,
               std::unique_ptr<Connection> connection,
               const Clock& clock,
               StepHook on_step)
    : owner_(std::move(owner)),
      clock_(clock),
      on_step_(std::move(on_step)),
      connection_(std::move(connection)),
      turn_(clock, 1) {}

Status Writer::prepare() {
  return register_batch_tables(*connection_, batch_);
}

Status Writer::check_owned() const {
  if (Status owned = owner_.check(); !owned) return owned;
  return check_in_place(*connection_, owner_.database());
}

Result<WriteScope> Writer::begin_outside(Deadline deadline) {
  if (!turn_.take(deadline)) {
    return unavailable("sqlite: begin", "another writer did not finish before the deadline");
  }
  return WriteScope(*this);
}

Result<WriteScope> Writer::begin(Deadline deadline) {
  auto turn = begin_outside(deadline);
  if (!turn) return turn;
  if (Status begun = begin_transaction(deadline); !begun) return begun.error();
  turn->set_last(last_);
  return turn;
}

void Writer::checkpoint() {
  const auto turn = begin_outside(Deadline::max());
  if (!turn || !check_owned()) return;
  // PASSIVE: waits for no reader. Where it fails, a later commit asks for it again.
  sqlite3_wal_checkpoint_v2(
      connection_->handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

Status Writer::begin_transaction(Deadline deadline) {
  // Asked here too: what another writer has done would look like damage to whatever follows.
  if (Status owned = check_owned(); !owned) return owned;
  connection_->set_busy_wait(time_left(clock_, deadline));
  // A rollback that failed before would leave its transaction open.
  if (connection_->in_transaction()) {
    if (Status ended = connection_->statement(sqlite_sql::rollback).run(); !ended) return ended;
    forget_gathered(connection_->handle());
  }
  if (Status overwritten = overwrite_failed_commit(); !overwritten) return overwritten;
  if (Status begun = connection_->statement(sqlite_sql::begin_write).run(); !begun) return begun;
  if (!end_known_) return load_end();
  return {};
}

Status Writer::overwrite_failed_commit() {
  if (!commit_failed_) return {};
  Status overwritten = connection_->statement(sqlite_sql::overwrite_failed_commit).run();
  if (!overwritten) {
    forget_gathered(connection_->handle());
    return overwritten;
  }
  commit_failed_ = false;
  return {};
}

Status Writer::load_end() {
  if (Status current = require_schema(*connection_); !current) return current;
  if (!objects_known_) {
    if (Status whole = require_objects(*connection_); !whole) return whole;
    objects_known_ = true;
  }
  Statement statement = connection_->statement(sqlite_sql::read_last_sequence);
  auto found = statement.step();
  if (!found) return found.error();
  last_ = Sequence{statement.integer(0)};
  if (Status loaded = marks_.load(*connection_); !loaded) return loaded;
  end_known_ = true;
  return {};
}

WriteScope::~WriteScope() {
  if (writer_ == nullptr) return;
  if (connection().in_transaction()) {
    // Where this fails, the next transaction tries again before it begins.
    static_cast<void>(connection().statement(sqlite_sql::rollback).run_code());
  }
  // After a commit nothing is gathered: it was synced.
  if (!connection().in_transaction()) {
    forget_gathered(connection().handle());
    // Where this fails, the next transaction tries again before it begins.
    static_cast<void>(writer_->overwrite_failed_commit());
  }
  writer_->turn_.give_back();
}

Status WriteScope::commit() {
  if (!connection().in_transaction()) {
    return internal_error("sqlite: commit", "the transaction was rolled back before");
  }
  if (Status owned = writer_->check_owned(); !owned) {
    forget_end();
    return owned;
  }
  const int code = connection().statement(sqlite_sql::commit).run_code();
  if (code == SQLITE_OK) {
    writer_->last_ = last_;
    return {};
  }
  forget_end();
  writer_->commit_failed_ = true;
  const CommitState state = connection().in_transaction() ? CommitState::open : CommitState::ended;
  return map_commit_error(code, state, connection().message());
}

}  // namespace mizan::sqlite
