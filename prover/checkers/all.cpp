#include "prover/checkers/checkers.hpp"

#include <array>
#include <utility>

namespace mizan::prover {

std::vector<CheckResult> check_all(const Evidence& evidence) {
  using Check = CheckResult (*)(const Evidence&);
  constexpr std::array<Check, 13> checks{check_conservation,
                                         check_balances,
                                         check_floors,
                                         check_chains,
                                         check_effects,
                                         check_once,
                                         check_replays,
                                         check_fences,
                                         check_holds,
                                         check_real_time,
                                         check_durability,
                                         check_refusals,
                                         check_readings};
  std::vector<CheckResult> results;
  results.reserve(checks.size());
  for (const Check check : checks) results.push_back(check(evidence));
  return results;
}

std::string_view describe_invariant(std::string_view invariant) noexcept {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> texts{{
      {"I1", "the sum over all wallets of a currency is what came in from @world"},
      {"I2", "a wallet's balance is the sum of its entries"},
      {"I3", "no wallet falls below its limit"},
      {"I4", "versions are 1..n without gaps, each balance the one before plus the change"},
      {"I5", "acknowledged: applied exactly once; refused: no trace; unknown: none or one"},
      {"I6", "no operation and no intent is carried out twice"},
      {"I7", "a repeat is answered with the first answer"},
      {"I8", "fencing tokens never go back, in grants and in commit order"},
      {"I9", "held is the sum of the open holds; none outlives its deadline"},
      {"I10", "what was over before another began stands before it in the journal"},
      {"I11", "what was acknowledged survives a crash"},
      {"I12", "a refusal for want of money states a balance that the wallet had"},
      {"I13", "no reader sees half an operation"},
      {"expected", "the scenario's own demand on the answers"},
  }};
  for (const auto& [name, text] : texts) {
    if (name == invariant) return text;
  }
  return {};
}

}  // namespace mizan::prover
