#include "prover/checkers/checkers.hpp"
#include "prover/report/json_text.hpp"
#include "prover/report/report.hpp"

#include <utility>

namespace mizan::prover {

namespace {

std::string_view view(const std::string& text) {
  return text;
}

void write_strings(JsonText& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.open('[');
  for (const std::string& text : texts) json.value(view(text));
  json.close(']');
}

void write_invariants(JsonText& json, const ScenarioResult& result) {
  json.key("invariants");
  json.open('[');
  for (const auto& [name, checked] : result.invariants) {
    json.open('{');
    json.field("id", view(name));
    json.field("meaning", describe_invariant(name));
    json.field("checked", checked.facts);
    write_strings(json, "violations", checked.violations);
    json.close('}');
  }
  json.close(']');
}

void write_counts(JsonText& json, const Counts& counts) {
  json.key("counts");
  json.open('{');
  json.field("ok", counts.ok);
  json.field("refused", counts.refused);
  json.field("unknown", counts.unknown);
  json.field("replayed", counts.replayed);
  json.field("retried", counts.retried);
  json.field("fenced", counts.fenced);
  json.close('}');
}

void write_story(JsonText& json, const Story& story) {
  json.open('{');
  json.field("title", view(story.title));
  write_strings(json, "lanes", story.lanes);
  json.key("moments");
  json.open('[');
  for (const Moment& moment : story.moments) {
    json.open('{');
    json.field("lane", view(moment.lane));
    json.field("text", view(moment.text));
    json.field("wrong", moment.is_wrong);
    json.close('}');
  }
  json.close(']');
  json.close('}');
}

void write_scenario(JsonText& json, const ScenarioResult& result) {
  json.open('{');
  json.field("name", view(result.name));
  json.field("verdict", to_string(result.verdict));
  json.field("reason", view(result.reason));
  json.field("took_ms", static_cast<std::uint64_t>(result.took.count()));
  write_counts(json, result.counts);
  write_invariants(json, result);
  json.key("sometimes");
  json.open('[');
  for (const auto& [name, hits] : result.sometimes) {
    json.open('{');
    json.field("name", view(name));
    json.field("hits", hits);
    json.close('}');
  }
  json.close(']');
  json.field("contrast", view(result.contrast));
  write_strings(json, "notes", result.notes);
  json.key("layers");
  json.open('[');
  for (const LayerCell& cell : result.layers) {
    json.open('{');
    json.field("situation", view(cell.situation));
    json.field("off", view(cell.off));
    json.field("right", cell.is_right);
    json.field("effect", view(cell.effect));
    json.close('}');
  }
  json.close(']');
  json.key("stories");
  json.open('[');
  for (const Story& story : result.stories) write_story(json, story);
  json.close(']');
  json.close('}');
}

}  // namespace

namespace {

void write_store(JsonText& json, const StoreReport& store) {
  json.open('{');
  json.field("name", view(store.name));
  if (store.skipped.empty()) {
    json.key("target");
    json.open('{');
    json.field("engine", view(store.target.name));
    json.field("version", view(store.target.version));
    json.field("durability", view(store.target.durability));
    json.close('}');
    json.field("verdict", to_string(overall(store.scenarios)));
  } else {
    json.field("verdict", to_string(Verdict::skipped));
    json.field("reason", view(store.skipped));
  }
  json.key("scenarios");
  json.open('[');
  for (const ScenarioResult& result : store.scenarios) write_scenario(json, result);
  json.close(']');
  json.close('}');
}

}  // namespace

std::string to_json(const Report& report) {
  JsonText json;
  json.open('{');
  json.field("schema", std::string_view("mizan.prove/2"));
  json.key("run");
  json.open('{');
  json.field("seed", report.seed);
  json.field("started_at", view(report.started_at));
  json.field("lock", view(report.lock));
  json.close('}');
  json.field("verdict", to_string(overall(report)));
  json.key("stores");
  json.open('[');
  for (const StoreReport& store : report.stores) write_store(json, store);
  json.close(']');
  json.close('}');
  return json.take() + '\n';
}

std::string to_json(std::span<const CatchResult> results) {
  JsonText json;
  json.open('{');
  json.field("schema", std::string_view("mizan.prove.self-test/2"));
  json.key("mutants");
  json.open('[');
  for (const CatchResult& result : results) {
    json.open('{');
    json.field("store", view(result.store));
    json.field("scenario", view(result.scenario));
    json.field("mutant", view(result.mutant));
    json.field("expected", view(result.expected));
    json.field("caught", result.caught);
    json.field("skipped", result.skipped);
    write_strings(json, "violated", result.violated);
    json.field("witness", view(result.witness));
    json.field("took_ms", static_cast<std::uint64_t>(result.took_ms));
    json.close('}');
  }
  json.close(']');
  json.close('}');
  return json.take() + '\n';
}

}  // namespace mizan::prover
