#pragma once

#include "prover/run.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// A mutant that a scenario must catch, and the invariant that must catch it.
struct ExpectedCatch {
  std::string_view mutant;
  std::string_view invariant;
};

struct Scenario {
  std::string_view name;
  std::string_view summary;
  std::vector<ExpectedCatch> catches;
  void (*run)(Run& run);
};

/// All scenarios, in the order in which they are run.
[[nodiscard]] std::span<const Scenario> scenarios();

/// Null for an unknown name.
[[nodiscard]] const Scenario* find_scenario(std::string_view name);

// One function per scenario, each in a file of its name below scenarios/.
[[nodiscard]] Scenario twenty_tens();
[[nodiscard]] Scenario overdraw_one();
[[nodiscard]] Scenario paused_holder();
[[nodiscard]] Scenario article_as_written();
[[nodiscard]] Scenario retry_once();
[[nodiscard]] Scenario same_id_other_body();
[[nodiscard]] Scenario crash_between_legs();
[[nodiscard]] Scenario crash_after_commit();
[[nodiscard]] Scenario batch_poison();
[[nodiscard]] Scenario first_insert();
[[nodiscard]] Scenario hold_race();
[[nodiscard]] Scenario numbers();
[[nodiscard]] Scenario redis_flushed();
[[nodiscard]] Scenario redis_down();
[[nodiscard]] Scenario redis_failover();
[[nodiscard]] Scenario wrong_unlock();
[[nodiscard]] Scenario lock_renew_stall();
[[nodiscard]] Scenario cross_transfer();
[[nodiscard]] Scenario deadlock_victim();
[[nodiscard]] Scenario lock_wait_timeout();
[[nodiscard]] Scenario stale_snapshot();
[[nodiscard]] Scenario subquery_trap();
[[nodiscard]] Scenario write_skew();
[[nodiscard]] Scenario galera_two_nodes();

}  // namespace mizan::prover
