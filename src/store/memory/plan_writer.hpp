#pragma once

#include "store/memory/tables.hpp"
#include "store/memory/view.hpp"
#include "store/memory/writer.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mizan::memory {

/// A constraint that a SQL store would have in its schema does not hold.
[[nodiscard]] Error broken_constraint(std::string what);

/// Writes what was decided, and refuses what a SQL store's constraints and guards would. Each of
/// its writes takes the tables' lock for itself; after one that was not done nothing but rolling
/// back makes sense. `tables` and `writer` must outlive it. One thread at a time.
class PlanWriter {
 public:
  PlanWriter(Tables& tables, Writer& writer) : tables_(tables), writer_(writer) {}

  /// The wallets that are gone, or no longer at the revision that the change was decided on.
  [[nodiscard]] WriteStale find_stale(std::span<const WalletChange> changes) const;

  /// Operations, legs, holds and reversals; fills in the links of the plan's wallets.
  [[nodiscard]] Result<WriteResult> record_operations(Plan& plan);

  /// The wallets' states, each guarded by its revision.
  [[nodiscard]] Result<WriteResult> write_wallets(std::span<const WalletChange> changes);

  /// Only where the wallets' entries stand now.
  [[nodiscard]] Result<WriteResult> write_links(std::span<const WalletChange> changes);

  [[nodiscard]] Result<WriteResult> change_holds(std::span<const HoldChange> holds);

  /// For a caller that holds the tables' lock.
  void put_state(const WalletRow& row, const WalletState& state);

 private:
  [[nodiscard]] const View& view() const noexcept { return writer_.view(); }

  Result<WriteResult> record_operation(const PlannedOperation& operation,
                                       std::vector<WalletChange>& wallets);

  /// What is wrong with the leg; nothing where it was appended.
  std::optional<std::string> append_leg(const PlannedOperation& operation,
                                        const PlannedLeg& leg,
                                        std::vector<WalletChange>& wallets);

  Result<WriteResult> change_hold(const HoldChange& change, const OperationId& operation);

  Tables& tables_;
  Writer& writer_;
};

}  // namespace mizan::memory
