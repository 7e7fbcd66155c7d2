#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/postgres/session.hpp"
#include "store/sql/hold_changes.hpp"
#include "store/sql/plan_rows.hpp"

#include <span>
#include <vector>

namespace mizan::postgres {

/// Which columns of the wallets a plan still has to write.
enum class WalletWrite : bool {
  state,  ///< All of them.
  links,  ///< The deltas were applied before; only the chain's beginning is missing.
};

/// Writes plans inside a database transaction: one round trip that locks the wallets in order of
/// their numbers and draws the transaction's number, one that writes. The number is drawn under
/// the locks, so that along one wallet the journal's sequences grow. One thread at a time.
class PlanWriter {
 public:
  PlanWriter(Session& session, const StepHook& on_step) noexcept
      : session_(session), on_step_(on_step) {}

  [[nodiscard]] Result<WriteResult> write(Plan& plan, WalletWrite what);
  [[nodiscard]] Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                                 std::span<WalletChange> wallets);

 private:
  /// Locks what is to be written and draws the number; names what is stale.
  [[nodiscard]] Result<WriteResult> prepare(const Plan& plan, WalletWrite what);

  /// Queues the statements; remembers which answers they will have.
  void send_journal(const sql::PlanRows& rows);
  void send_holds(const sql::HoldChanges& holds);
  void send_reversals(const Plan& plan);
  void send_wallets(const sql::PlanRows& rows, WalletWrite what);

  [[nodiscard]] Result<WriteResult> send_all(const Plan& plan,
                                             const sql::PlanRows& rows,
                                             WalletWrite what);
  [[nodiscard]] Result<WriteResult> check_all(const Plan& plan,
                                              const sql::PlanRows& rows,
                                              const std::vector<Answer>& answers);
  [[nodiscard]] Result<WriteResult> check_holds(const sql::HoldChanges& holds,
                                                std::span<const Answer> answers) const;
  [[nodiscard]] Result<WriteResult> check_reversals(const Plan& plan, const Answer& answer) const;

  /// An id was recorded by somebody else: which one?
  [[nodiscard]] Result<WriteResult> find_duplicate(const Plan& plan, const Error& violation);

  /// Names those of the wallets whose revision is not the one before; where there are none, the
  /// plan is wrong.
  [[nodiscard]] Result<WriteResult> name_stale(std::span<const sql::WalletRow> rows);

  [[nodiscard]] Result<Sequence> read_jump(WalletNumber wallet, Sequence entry);

  void step(std::string_view name) const {
    if (on_step_) on_step_(name);
  }

  Session& session_;
  const StepHook& on_step_;
  Sequence first_;  // Of the transaction's rows.
  sql::HoldChanges holds_;
  bool has_reversals_ = false;
};

/// Sequences of one transaction: its number times this, plus the place.
inline constexpr std::int64_t rows_per_batch = 1 << 20;

}  // namespace mizan::postgres
