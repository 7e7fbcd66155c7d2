#pragma once

#include "mizan/store.hpp"

#include "prover/run.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// What came of one store.
struct StoreReport {
  std::string name;
  StoreDescription target;
  std::string skipped;  ///< Why nothing was run on it; empty: it was.
  std::vector<ScenarioResult> scenarios;
  std::vector<LayerCell> layers;  ///< Of `--layers` only.
};

/// Everything that a run of the prover has to say.
struct Report {
  std::uint64_t seed = 0;
  std::string started_at;
  std::string lock;  ///< Its kind: no URL, which may hold a password.
  std::vector<StoreReport> stores;
};

/// A mutant that was, or was not, caught.
struct CatchResult {
  std::string store;
  std::string scenario;
  std::string mutant;
  std::string expected;  ///< The invariant that must catch it.
  bool caught = false;
  bool skipped = false;               ///< Could not be asked here; the witness says why.
  std::vector<std::string> violated;  ///< What was violated instead or beside it.
  std::string witness;
  std::int64_t took_ms = 0;
};

/// The one verdict over all: the worst.
[[nodiscard]] Verdict overall(std::span<const ScenarioResult> scenarios) noexcept;
[[nodiscard]] Verdict overall(const Report& report) noexcept;

/// 0 pass (or skipped), 1 fail, 2 inconclusive, 3 could not run.
[[nodiscard]] int exit_status_of(Verdict verdict) noexcept;

// For people.
[[nodiscard]] std::string table_line(const ScenarioResult& result, bool colours);
[[nodiscard]] std::string details_text(const ScenarioResult& result,
                                       bool colours,
                                       bool with_stories);
[[nodiscard]] std::string story_text(const Story& story, bool colours);
[[nodiscard]] std::string layers_text(std::span<const LayerCell> cells, bool colours);
/// Situations by layer that is off, and below it what went wrong where.
[[nodiscard]] std::string layer_matrix_text(const StoreReport& store, bool colours);

/// Scenarios by store; empty where there is one store only.
[[nodiscard]] std::string matrix_text(const Report& report, bool colours);
[[nodiscard]] std::string catch_line(const CatchResult& result, bool colours);

// For programs: one document, `"schema":"mizan.prove/2"` or `"mizan.prove.self-test/2"`.
[[nodiscard]] std::string to_json(const Report& report);
[[nodiscard]] std::string to_json(std::span<const CatchResult> results);
[[nodiscard]] std::string layers_to_json(const Report& report);  ///< "mizan.prove.layers/1"

/// One HTML file without anything outside it.
[[nodiscard]] std::string to_html(const Report& report);

}  // namespace mizan::prover
