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
  [[nodiscard]] Result<WriteResult> write_further(const PlannedOperation& operation);
  [[nodiscard]] Result<WriteResult> create_hold(const HoldRecord& hold);
  [[nodiscard]] Result<WriteResult> change_hold(const HoldChange& change);
  [[nodiscard]] Result<WriteResult> write_states(const std::vector<BalanceRow>& rows);
  [[nodiscard]] Result<WriteResult> write_links(const std::vector<BalanceRow>& rows);

  /// Names the first of the rows, and those after it whose revision is not the expected one.
  [[nodiscard]] Result<WriteResult> name_stale(std::span<const BalanceRow> rows,
                                               std::int64_t BalanceRow::*expected);

  WriteScope& scope_;
};

/// Does the row of this wallet have this revision?
[[nodiscard]] Result<bool> has_revision(Connection& connection,
                                        std::int64_t wallet,
                                        std::int64_t revision);

}  // namespace mizan::sqlite
