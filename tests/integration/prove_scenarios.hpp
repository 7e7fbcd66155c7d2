#pragma once

#include "cli_program.hpp"

namespace mizan::integration {

/// Scenarios that SQLite with its one writer has nothing to say about.
inline Program::Words what_only_servers_show() {
  return {"cross-transfer",
          "deadlock-victim",
          "lock-wait-timeout",
          "stale-snapshot",
          "subquery-trap",
          "write-skew"};
}

inline Program::Words what_only_redis_shows() {
  return {"redis-flushed", "redis-down", "redis-failover", "wrong-unlock", "lock-renew-stall"};
}

inline Program::Words with(Program::Words scenarios, const Program::Words& more) {
  scenarios.insert(scenarios.end(), more.begin(), more.end());
  return scenarios;
}

}  // namespace mizan::integration
