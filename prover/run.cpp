#include "prover/run.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace mizan::prover {

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::fail:
      return "FAIL";
    case Verdict::inconclusive:
      return "INCONCLUSIVE";
    case Verdict::skipped:
      return "SKIPPED";
    case Verdict::could_not_run:
      return "ERROR";
  }
  return "ERROR";
}

Run::Run(std::string scenario, RunOptions options) : options_(std::move(options)) {
  result_.name = std::move(scenario);
}

std::vector<Strategy> Run::strategies() const {
  // Mutants act where the batched strategy writes: its cache is what a guard is for.
  if (is_mutant()) return {Strategy::batched};
  return options_.strategies;
}

std::string Run::fresh_name() {
  std::string name = result_.name;
  if (is_mutant()) name += "-" + options_.mutant;
  return name + "-" + std::to_string(++files_);
}

std::filesystem::path Run::fresh_path(std::string_view suffix) {
  return options_.target.directory / fresh_name().append(suffix);
}

std::string Run::fresh_room() {
  // MariaDB takes 64 characters, PostgreSQL 63.
  constexpr std::size_t scenario_size = 20;
  constexpr std::size_t mutant_size = 18;
  std::string name = options_.target.room_prefix + result_.name.substr(0, scenario_size);
  if (is_mutant()) name += "_" + options_.mutant.substr(0, mutant_size);
  name += "_" + std::to_string(++files_);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

StorePlace Run::fresh_place() {
  StorePlace place;
  if (options_.target.nodes.empty()) {
    place.file = fresh_path(".db");
    return place;
  }
  place.server = options_.target.nodes.front();
  place.room = fresh_room();
  return place;
}

Result<RedisOptions> Run::fresh_redis() const {
  static std::atomic<std::uint64_t> uses{0};
  return redis_lock_options(options_.lock.prefix + "-" + std::to_string(++uses));
}

void Run::judge(std::string_view what, const Evidence& evidence) {
  count(evidence.calls);
  for (const CheckResult& checked : check_all(evidence)) merge(checked, what);
  result_.history += to_json_lines(evidence.calls);
}

void Run::expect(bool holds, const std::string& violation) {
  CheckResult checked;
  checked.invariant = "expected";
  checked.facts = 1;
  if (!holds) checked.violations.push_back(violation);
  merge(checked, {});
}

void Run::sometimes(const std::string& name, std::uint64_t hits) {
  result_.sometimes[name] += hits;
}

void Run::could_not_run(const Error& error) {
  if (forced_) return;
  forced_ = Verdict::could_not_run;
  result_.reason = error.where + ": " + error.detail;
}

void Run::skip(std::string reason) {
  if (forced_) return;
  forced_ = Verdict::skipped;
  result_.reason = std::move(reason);
}

ScenarioResult Run::finish() {
  result_.verdict = Verdict::pass;
  for (const auto& [name, hits] : result_.sometimes) {
    if (hits != 0) continue;
    result_.verdict = Verdict::inconclusive;
    result_.reason = "never happened: " + name;
  }
  if (forced_) result_.verdict = *forced_;
  for (const auto& [name, checked] : result_.invariants) {
    if (checked.violations.empty()) continue;
    result_.verdict = Verdict::fail;
    result_.reason = name + ": " + checked.violations.front();
    break;
  }
  return std::move(result_);
}

void Run::merge(const CheckResult& checked, std::string_view what) {
  CheckResult& sum = result_.invariants[checked.invariant];
  sum.invariant = checked.invariant;
  sum.facts += checked.facts;
  for (const std::string& violation : checked.violations) {
    sum.violations.push_back(what.empty() ? violation : std::string(what) + ": " + violation);
  }
}

void Run::count(const std::vector<Call>& calls) {
  Counts& counts = result_.counts;
  for (const Call& call : calls) {
    if (call.end == CallEnd::ok) ++counts.ok;
    const bool again = call.code == Code::contended || call.code == Code::in_progress;
    if (again) ++counts.retried;
    if (call.end == CallEnd::fail && !again) ++counts.refused;
    if (call.end == CallEnd::info) ++counts.unknown;
    if (call.code == Code::already_applied) ++counts.replayed;
    if (call.code == Code::stale_fence) ++counts.fenced;
  }
}

}  // namespace mizan::prover
