#pragma once

#include "bench/cell.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mizan::bench {

enum class Bound : std::uint8_t { at_least, at_most };

/// One figure that a release must reach, and what this run says about it. Figures are ratios
/// within the run or sizes, never bare speeds: machines differ, and so does one machine from hour
/// to hour.
struct Requirement {
  std::string what;
  Bound bound = Bound::at_least;
  double required = 0;
  std::optional<double> measured;  ///< Absent: this run did not measure it.
  std::string flaw;                ///< Of the disk while it was measured; empty: none.

  [[nodiscard]] bool is_met() const noexcept {
    if (!measured) return false;
    return bound == Bound::at_least ? *measured >= required : *measured <= required;
  }
};

/// Every requirement, in the order of the manual, against the cells of a run on SQLite.
[[nodiscard]] std::vector<Requirement> judge(std::span<const Cell> cells);

}  // namespace mizan::bench
