#pragma once

#include "prover/checkers/image.hpp"
#include "prover/history.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// All that a run leaves behind. What does not apply to a scenario stays empty.
struct Evidence {
  LedgerImage image;
  std::vector<Call> calls;
  std::vector<Grant> grants;
  std::vector<Reading> readings;
  std::map<WalletId, MinBalance>
      floors;  ///< Limits as the clients set them; else the ledger's own.
  std::set<OperationId> acked_before_crash;  ///< Answered before a process was killed.
};

/// What one invariant's checker found. `facts` 0 means that there was nothing to check.
struct CheckResult {
  std::string invariant;
  std::uint64_t facts = 0;
  std::vector<std::string> violations;  ///< The first few, each naming its witness.
};

// One checker per invariant of docs/invariants.md.
[[nodiscard]] CheckResult check_conservation(const Evidence& evidence);  // I1
[[nodiscard]] CheckResult check_balances(const Evidence& evidence);      // I2
[[nodiscard]] CheckResult check_floors(const Evidence& evidence);        // I3
[[nodiscard]] CheckResult check_chains(const Evidence& evidence);        // I4
[[nodiscard]] CheckResult check_effects(const Evidence& evidence);       // I5
[[nodiscard]] CheckResult check_once(const Evidence& evidence);          // I6
[[nodiscard]] CheckResult check_replays(const Evidence& evidence);       // I7
[[nodiscard]] CheckResult check_fences(const Evidence& evidence);        // I8
[[nodiscard]] CheckResult check_holds(const Evidence& evidence);         // I9
[[nodiscard]] CheckResult check_real_time(const Evidence& evidence);     // I10
[[nodiscard]] CheckResult check_durability(const Evidence& evidence);    // I11
[[nodiscard]] CheckResult check_refusals(const Evidence& evidence);      // I12
[[nodiscard]] CheckResult check_readings(const Evidence& evidence);      // I13

/// All thirteen, in order.
[[nodiscard]] std::vector<CheckResult> check_all(const Evidence& evidence);

/// What the invariant demands, in a few words; empty for an unknown name.
[[nodiscard]] std::string_view describe_invariant(std::string_view invariant) noexcept;

/// A receipt as one line of text, without what may change later (`hold`, `reversed_by`): equal
/// texts mean equal answers.
[[nodiscard]] std::string receipt_text(const Receipt& receipt);

}  // namespace mizan::prover
