#pragma once

#include "mizan/ledger.hpp"
#include "mizan/result.hpp"

#include "prover/checkers/checkers.hpp"
#include "prover/lock_ground.hpp"
#include "prover/place.hpp"
#include "prover/servers/engine.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::prover {

enum class Verdict : std::uint8_t { pass, fail, inconclusive, skipped, could_not_run };

[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

/// What a scenario runs against. SQLite has one owning process, so worker processes reach the
/// store through it; on a server they connect themselves.
struct Target {
  std::string name = "sqlite";      ///< How the report calls it.
  std::filesystem::path directory;  ///< Private to this run; every file goes there.
  Engine engine = Engine::sqlite;
  std::string room_prefix;         ///< Empty: stores are files. Else rooms on the server.
  std::vector<std::size_t> nodes;  ///< Numbers of the servers that share one database.
};

struct RunOptions {
  Target target;
  LockTarget lock;
  std::uint64_t seed = 1;
  std::vector<Strategy> strategies;
  std::string mutant;  ///< Empty: the product as it is.
};

/// One moment of a story, for the timeline: who, and what happened.
struct Moment {
  std::string lane;
  std::string text;
  bool is_wrong = false;  ///< Money is lost or doubled here.
};

struct Story {
  std::string title;
  std::vector<std::string> lanes;
  std::vector<Moment> moments;
};

/// One cell of the layer matrix.
struct LayerCell {
  std::string situation;
  std::string off;     ///< The layer that was switched off; "nothing" for the complete product.
  std::string effect;  ///< What was seen, in a few words.
  bool is_right = true;
};

struct Counts {
  std::uint64_t ok = 0;
  std::uint64_t refused = 0;
  std::uint64_t unknown = 0;
  std::uint64_t replayed = 0;
  std::uint64_t retried = 0;  ///< Lost a race and was asked again by the client.
  std::uint64_t fenced = 0;
};

struct ScenarioResult {
  std::string name;
  Verdict verdict = Verdict::pass;
  std::string reason;  ///< For every verdict but PASS.
  Counts counts;
  std::map<std::string, CheckResult> invariants;
  std::map<std::string, std::uint64_t> sometimes;
  std::vector<std::string> notes;
  std::string contrast;  ///< What happens without the protection.
  std::vector<Story> stories;
  std::vector<LayerCell> layers;
  std::string history;  ///< JSON lines.
  std::chrono::milliseconds took{0};
};

/// One run of one scenario: what it may use, and where it notes what it saw. One thread at a time.
class Run {
 public:
  Run(std::string scenario, RunOptions options);

  [[nodiscard]] const RunOptions& options() const noexcept { return options_; }

  /// The mutant that this run is to catch; empty for the product.
  [[nodiscard]] const std::string& mutant() const noexcept { return options_.mutant; }

  [[nodiscard]] bool is_mutant() const noexcept { return !options_.mutant.empty(); }

  /// The strategies to go through: one for a mutant, else those that were asked for.
  [[nodiscard]] std::vector<Strategy> strategies() const;

  /// A path below the run's directory that no one used before.
  [[nodiscard]] std::filesystem::path fresh_path(std::string_view suffix);

  /// A place for a ledger, likewise.
  [[nodiscard]] StorePlace fresh_place();

  [[nodiscard]] const LockTarget& lock() const noexcept { return options_.lock; }

  /// Options for the user's Redis, with a prefix that no one used before.
  [[nodiscard]] Result<RedisOptions> fresh_redis() const;

  [[nodiscard]] Engine engine() const noexcept { return options_.target.engine; }

  /// Checks all invariants; each violation is a failure of the run. `what` names the part.
  void judge(std::string_view what, const Evidence& evidence);

  /// A finding of somebody else's, e.g. of the product's own `verify`.
  void add(const CheckResult& found) { merge(found, {}); }

  /// The scenario's own demands.
  void expect(bool holds, const std::string& violation);

  /// Notes that this happened (or not: then 0 is shown, and the run proves nothing).
  void sometimes(const std::string& name, std::uint64_t hits);

  void note(std::string text) { result_.notes.push_back(std::move(text)); }

  void contrast(std::string text) { result_.contrast = std::move(text); }

  void tell(Story story) { result_.stories.push_back(std::move(story)); }

  void layer(LayerCell cell) { result_.layers.push_back(std::move(cell)); }

  /// The run could not be carried out; the first reason stands.
  void could_not_run(const Error& error);
  void skip(std::string reason);

  /// Decides the verdict.
  [[nodiscard]] ScenarioResult finish();

 private:
  [[nodiscard]] std::string fresh_name();
  [[nodiscard]] std::string fresh_room();
  void merge(const CheckResult& checked, std::string_view what);
  void count(const std::vector<Call>& calls);

  RunOptions options_;
  ScenarioResult result_;
  std::optional<Verdict> forced_;
  std::uint64_t files_ = 0;
};

}  // namespace mizan::prover
