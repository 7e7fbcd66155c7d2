#include "prover/scenario.hpp"

#include <algorithm>

namespace mizan::prover {

std::span<const Scenario> scenarios() {
  static const std::vector<Scenario> all{
      twenty_tens(),      overdraw_one(),       paused_holder(),      article_as_written(),
      retry_once(),       same_id_other_body(), crash_between_legs(), crash_after_commit(),
      batch_poison(),     first_insert(),       hold_race(),          numbers(),
      redis_flushed(),    redis_down(),         redis_failover(),     wrong_unlock(),
      lock_renew_stall(), cross_transfer(),     deadlock_victim(),    lock_wait_timeout(),
      stale_snapshot(),   subquery_trap(),      write_skew(),         galera_two_nodes()};
  return all;
}

const Scenario* find_scenario(std::string_view name) {
  const auto all = scenarios();
  const auto found = std::find_if(
      all.begin(), all.end(), [name](const Scenario& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace mizan::prover
