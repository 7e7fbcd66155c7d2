#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sql/turn.hpp"
#include "store/sqlite/batch.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/id_marks.hpp"
#include "store/sqlite/owner_lock.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace mizan::sqlite {

class WriteScope;

/// The one writing connection of an owner, which is the only one that ever checkpoints, and what
/// is known in memory about the file's end. Any thread may call `begin`; everything else belongs
/// to whoever holds the open scope.
class Writer {
 public:
  Writer(OwnerLock owner,
         std::unique_ptr<Connection> connection,
         const Clock& clock,
         StepHook on_step);

  /// To be called once, before anything else.
  [[nodiscard]] Status prepare();

  /// Waits for the turn until the deadline, then begins a database transaction.
  [[nodiscard]] Result<WriteScope> begin(Deadline deadline);

  /// Waits for the turn without beginning a transaction, for migrations and settings.
  [[nodiscard]] Result<WriteScope> begin_outside(Deadline deadline);

  /// Waits for the turn, however long, and copies back what it can of the WAL.
  void checkpoint();

  /// For setting it up, before anything else uses it, and for taking it down.
  [[nodiscard]] Connection& connection() noexcept { return *connection_; }

  /// `unavailable` where the files are no longer those that we own; a few stat calls.
  [[nodiscard]] Status check_owned() const;

 private:
  friend class WriteScope;

  [[nodiscard]] Status begin_transaction(Deadline deadline);
  [[nodiscard]] Status load_end();

  /// A commit whose sync failed may have left all of its frames in the WAL. SQLite has forgotten
  /// them, but a recovery after a crash would find them and bring back what later answers have
  /// taken for lost. So nothing is decided before something else was committed in their place.
  [[nodiscard]] Status overwrite_failed_commit();

  // First: given up after the connection has closed, which may checkpoint.
  OwnerLock owner_;
  const Clock& clock_;
  StepHook on_step_;
  Batch batch_;  // Before the connection, which reads it.
  std::unique_ptr<Connection> connection_;
  sql::Turn turn_;
  IdMarks marks_;
  Sequence last_;               // The journal's last sequence, as committed.
  bool end_known_ = false;      // False: marks_ and last_ must be read from the file.
  bool objects_known_ = false;  // True: the file has every table and index.
  bool commit_failed_ = false;  // The WAL may have its frames.
};

/// The writer's turn, with an open database transaction or without. Its end rolls back what was
/// not committed and gives the turn back. Movable; one thread at a time.
class WriteScope {
 public:
  explicit WriteScope(Writer& writer) noexcept : writer_(&writer), last_(writer.last_) {}

  WriteScope(WriteScope&& other) noexcept
      : writer_(std::exchange(other.writer_, nullptr)), last_(other.last_) {}

  WriteScope& operator=(WriteScope&&) = delete;
  ~WriteScope();

  [[nodiscard]] Connection& connection() const noexcept { return *writer_->connection_; }

  [[nodiscard]] Batch& batch() const noexcept { return writer_->batch_; }

  [[nodiscard]] IdMarks& marks() const noexcept { return writer_->marks_; }

  [[nodiscard]] const Clock& clock() const noexcept { return writer_->clock_; }

  /// The journal's last sequence, as this transaction sees it.
  [[nodiscard]] Sequence last() const noexcept { return last_; }

  void set_last(Sequence last) noexcept { last_ = last; }

  /// The file may have an end that we do not know: read it again before the next transaction.
  void forget_end() noexcept { writer_->end_known_ = false; }

  void step(std::string_view name) const {
    if (writer_->on_step_) writer_->on_step_(name);
  }

  [[nodiscard]] Status commit();

 private:
  Writer* writer_;  // Null: moved from.
  Sequence last_;
};

}  // namespace mizan::sqlite
