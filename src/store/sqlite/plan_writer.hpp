#pragma once

#include "mizan/plan.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "store/sqlite/writer.hpp"

#include <span>
#include <vector>

namespace mizan::sqlite {

/// Which columns of the wallets a plan still has to write.
enum class WalletWrite : bool {
  state,  ///< All of them.
  links,  ///< The deltas were applied before; only the chain's beginning is missing.
};

/// Writes a plan inside the scope's database transaction.
class PlanWriter {
 public:
  explicit PlanWriter(WriteScope& scope) noexcept : scope_(scope) {}

  [[nodiscard]] Result<WriteResult> write(Plan& plan, WalletWrite what);
  [[nodiscard]] Result<WriteResult> write_expiry(std::span<const HoldChange> holds,
                                                 std::span<WalletChange> wallets);

 private:
  [[nodiscard]] Result<WriteResult> append_journal(const Plan& plan);
  [[nodiscard]] Result<WriteResult> find_duplicate(const Plan& plan, const Error& violation);
  /// What is not in the journal: holds and reversals.
  [[nodiscard]] Result<WriteResult> write_further(const Plan& plan, Sequence first);
  [[nodiscard]] Result<WriteResult> write_reversal(const PlannedOperation& operation);
  [[nodiscard]] Result<WriteResult> write_hold(const PlannedOperation& operation,
                                               Sequence sequence);
  /// A hold that is not what it was read as counts as recorded by somebody else first.
  [[nodiscard]] Result<WriteResult> create_hold(const HoldRecord& hold,
                                                const OperationId& operation);
  [[nodiscard]] Result<WriteResult> change_hold(const HoldChange& change,
                                                const OperationId& operation);
  [[nodiscard]] Result<WriteResult> write_states();
  [[nodiscard]] Result<WriteResult> write_links(const std::vector<BalanceRow>& rows);

  WriteScope& scope_;
};

/// Does the row of this wallet have this revision?
[[nodiscard]] Result<bool> has_revision(Connection& connection,
                                        std::int64_t wallet,
                                        std::int64_t revision);

}  // namespace mizan::sqlite
