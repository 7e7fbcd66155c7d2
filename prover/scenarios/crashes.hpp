#pragma once

#include "prover/history.hpp"
#include "prover/run.hpp"
#include "prover/scenarios/common.hpp"
#include "prover/workers/crew.hpp"

#include <memory>
#include <set>
#include <string_view>

namespace mizan::prover {

/// A store whose owning process is killed again and again.
class CrashSite {
 public:
  CrashSite(Run& run, Strategy strategy);

  /// Starts an owner over the ledger; false after noting why not.
  [[nodiscard]] bool start();

  [[nodiscard]] Crew& crew() noexcept { return *crew_; }

  /// Creates EUR wallets; the first is funded with 100.
  [[nodiscard]] bool set_up(const std::vector<std::string_view>& wallets);

  /// Kills the owner at the step and notes what had been acknowledged by then. False where the
  /// step was not reached or the run is broken.
  [[nodiscard]] bool kill_at(std::string_view step, const History::Request& request);

  /// Kills the owner as it is.
  void kill();

  [[nodiscard]] History& history() noexcept { return history_; }

  /// With the owner dead: opens the ledger and judges what is there.
  void judge(std::string_view what,
             std::optional<WideUnits> expected_sum,
             const std::vector<WalletId>& wallets);

 private:
  void note_acknowledged();

  Run& run_;
  Strategy strategy_;
  StorePlace place_;
  History history_;
  std::unique_ptr<Crew> crew_;
  std::set<OperationId> acknowledged_;
};

}  // namespace mizan::prover
