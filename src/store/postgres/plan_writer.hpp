#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/postgres/plan_columns.hpp"
#include "store/postgres/session.hpp"
#include "store/sql/hold_changes.hpp"
#include "store/sql/numbers.hpp"
#include "store/sql/plan_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace mizan::postgres {

/// Which columns of the wallets a plan still has to write.
enum class WalletWrite : bool {
  state,  ///< All of them.
  links,  ///< The deltas were applied before; only the chain's beginning is missing.
};

/// Sequences of one transaction: its number times this, plus the place.
inline constexpr std::int64_t rows_per_batch = 1 << 20;

/// Writes one plan inside a database transaction. Each statement demands its number of rows itself,
/// so that nothing after it is run where one is missing, and a whole plan with its COMMIT is one
/// round trip. One thread at a time.
class PlanWriter {
 public:
  /// `drawn`: the transaction's number, where it was drawn after everything was read that the plan
  /// rests on; otherwise one of `numbers` serves, or another is drawn.
  PlanWriter(Session& session,
             sql::Numbers& numbers,
             const StepHook& on_step,
             std::optional<std::int64_t> drawn) noexcept
      : session_(session), numbers_(numbers), on_step_(on_step), drawn_(drawn) {}

  [[nodiscard]] Result<WriteResult> write(Plan& plan, WalletWrite what);
  [[nodiscard]] Result<WriteResult> write_and_commit(Plan& plan,
                                                     const std::function<void()>& at_commit);
  [[nodiscard]] Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                                 std::span<WalletChange> wallets);

 private:
  [[nodiscard]] Result<WriteResult> queue(Plan& plan, WalletWrite what);
  [[nodiscard]] Status number(const Plan& plan);
  void keep_next_number(std::span<const Answer> answers);
  [[nodiscard]] Result<WriteResult> send_all(const Plan& plan,
                                             const sql::PlanRows& rows,
                                             WalletWrite what);
  void send_wallets(const sql::PlanRows& rows, WalletWrite what, WalletShape shape);
  void send_journal(const sql::PlanRows& rows);
  void send_holds();
  void send_reversals(const Plan& plan);

  [[nodiscard]] bool checks_itself() const noexcept;
  [[nodiscard]] Result<WriteResult> check_all(const Plan& plan,
                                              std::span<const Answer> answers) const;
  [[nodiscard]] Result<WriteResult> check_holds(std::span<const Answer> answers) const;
  [[nodiscard]] Result<WriteResult> check_reversals(const Plan& plan, const Answer& answer) const;

  [[nodiscard]] Result<WriteResult> explain(const Plan& plan, const Error& error);

  /// An id was recorded by somebody else: which one?
  [[nodiscard]] Result<WriteResult> find_duplicate(const Plan& plan, const Error& violation);

  /// Names those of the wallets whose revision is not the one before; where there are none, the
  /// plan is wrong.
  [[nodiscard]] Result<WriteResult> name_stale(const Plan& plan, const Error& shortage);

  [[nodiscard]] Result<Sequence> read_jump(WalletNumber wallet, Sequence entry);

  void step(std::string_view name) const {
    if (on_step_) on_step_(name);
  }

  Session& session_;
  sql::Numbers& numbers_;
  const StepHook& on_step_;
  std::optional<std::int64_t> drawn_;
  Sequence first_;  // Of the transaction's rows.
  sql::HoldChanges holds_;
  bool has_reversals_ = false;
  std::optional<std::size_t> journal_at_;  // Which of the statements writes the journal.
  std::size_t self_checking_ = 0;  // Statements queued that check themselves; they come first.
};

}  // namespace mizan::postgres
