#pragma once

#include "mizan/result.hpp"

#include "bench/options.hpp"
#include "bench/report.hpp"
#include "bench/target.hpp"
#include "bench/yardstick.hpp"

#include <cstddef>
#include <memory>

namespace mizan::bench {

/// What a workload works with. References live as long as the run.
struct Run {
  const Options& options;
  const Sizes& sizes;
  Report& report;

  [[nodiscard]] Result<std::unique_ptr<Target>> make_target(
      std::size_t wallets, Strategy strategy = Strategy::batched) const;

  /// A cell with what is the same for a whole target.
  [[nodiscard]] Cell make_cell(const Target& target) const;
};

// Each measures its steps one after the other and reports those that verify. An error ends it.

[[nodiscard]] Status run_batch(const Run& run);
[[nodiscard]] Status run_callers(const Run& run);
[[nodiscard]] Status run_hot(const Run& run);
[[nodiscard]] Status run_growth(const Run& run);
[[nodiscard]] Status run_strategies(const Run& run);
[[nodiscard]] Status run_lock(const Run& run);
[[nodiscard]] Status run_http(const Run& run);

}  // namespace mizan::bench
