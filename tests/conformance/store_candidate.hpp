#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "tests/conformance/needed_server.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace mizan::conformance {

/// Where and with what a candidate opens a store.
struct StorePlace {
  std::filesystem::path directory;  ///< Exists; the store may keep its files there.
  const Clock* clock = nullptr;
  StepHook on_step;
};

/// What a store does not do, each with the reason. Tests of it are skipped and name the reason.
/// A promise of the specification cannot deviate; these are nets behind the rules.
struct StoreDeviations {
  std::optional<std::string> entries_need_not_follow;  ///< An entry that does not continue its
                                                       ///< wallet's history is not refused.
};

/// A store that is to be proved: a name for the tests and how to open it.
struct StoreCandidate {
  std::string name;

  /// Opens what is kept in the place, an empty store where nothing is. `migrate` was not called.
  std::function<Result<std::unique_ptr<Store>>(const StorePlace&)> open;

  /// Everything committed is there again after `open` in the same directory, also after a crash.
  bool persistent = false;

  StoreDeviations deviations;

  NeededServer needs = {};
};

inline void PrintTo(const StoreCandidate& candidate, std::ostream* out) {
  *out << candidate.name;
}

}  // namespace mizan::conformance
