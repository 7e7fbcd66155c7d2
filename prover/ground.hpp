#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "prover/lock_ground.hpp"
#include "prover/options.hpp"
#include "prover/presence.hpp"
#include "prover/run.hpp"
#include "prover/server_ground.hpp"
#include "prover/workplace.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace mizan::prover {

/// A store that scenarios are run on.
struct StoreUnderTest {
  Target target;
  StoreDescription description;
  std::string skipped;                  ///< Why it is not here; empty: it is.
  std::unique_ptr<ServerGround> rooms;  ///< Null: files.
  Presence presence;

  /// Leaves room for the next scenario.
  [[nodiscard]] Status clear() const { return rooms ? rooms->clear() : Status{}; }
};

/// Private servers, started for this run and gone with it.
class Lab {
 public:
  virtual ~Lab() = default;
};

/// What a run stands on; it goes after everything that uses it.
struct Ground {
  std::vector<std::unique_ptr<Lab>> labs;
  std::unique_ptr<Workplace> place;
  std::unique_ptr<LockGround> keys;  ///< Null: the lock is not the user's Redis.
  LockTarget lock;
  std::vector<StoreUnderTest> stores;
};

/// Starts what the options want started and connects to what they name. Call it before any other
/// thread of this program runs.
[[nodiscard]] Result<Ground> open_ground(const ProveOptions& options);

}  // namespace mizan::prover
