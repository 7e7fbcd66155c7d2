#pragma once

#include "prover/checkers/checkers.hpp"

#include <string>
#include <utility>

namespace mizan::prover {

inline constexpr std::size_t violations_max = 5;

/// Starts a result for the invariant.
[[nodiscard]] inline CheckResult result_for(std::string invariant) {
  CheckResult result;
  result.invariant = std::move(invariant);
  return result;
}

/// Counts one fact and notes the violation where it does not hold.
inline void expect(CheckResult& result, bool holds, const std::string& violation) {
  ++result.facts;
  if (!holds && result.violations.size() < violations_max) result.violations.push_back(violation);
}

template <class Number>
[[nodiscard]] std::string digits(Number number) {
  return std::to_string(number.value());
}

}  // namespace mizan::prover
