#include "base/text.hpp"
#include "prover/report/json_text.hpp"
#include "prover/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view plain = "\x1b[0m";
constexpr std::size_t first_column = 20;
constexpr std::size_t column = 16;

void add_unique(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// "FAIL I3: wallet …" is "I3" in the table; the words come below it.
std::string short_effect(const LayerCell& cell) {
  if (cell.is_right) return cell.effect == "right" ? "right" : "-";
  const std::string_view text = cell.effect;
  if (!text.starts_with("FAIL ")) return std::string(text.substr(0, text.find(' ')));
  const std::string_view name = text.substr(5, text.find(':') - 5);
  return name == "expected" ? "wrong" : "wrong (" + std::string(name) + ")";
}

const LayerCell* find_cell(const StoreReport& store,
                           const std::string& situation,
                           const std::string& layer) {
  for (const LayerCell& cell : store.layers) {
    if (cell.situation == situation && cell.off == layer) return &cell;
  }
  return nullptr;
}

}  // namespace

std::string layer_matrix_text(const StoreReport& store, bool colours) {
  std::vector<std::string> situations;
  std::vector<std::string> layers;
  for (const LayerCell& cell : store.layers) {
    add_unique(situations, cell.situation);
    add_unique(layers, cell.off);
  }
  std::string text =
      fmt::format("\n{}: which layer protects from what (one is off at a time)\n\n{:<{}}",
                  store.name,
                  "",
                  first_column);
  for (const std::string& layer : layers) text += fmt::format("{:<{}}", layer, column);
  text += '\n';
  std::string below;
  for (const std::string& situation : situations) {
    text += fmt::format("{:<{}}", situation, first_column);
    for (const std::string& layer : layers) {
      const LayerCell* cell = find_cell(store, situation, layer);
      if (cell == nullptr) continue;
      const std::string words = fmt::format("{:<{}}", short_effect(*cell), column);
      text += colours ? fmt::format("{}{}{}", cell->is_right ? green : red, words, plain) : words;
      if (cell->is_right) continue;
      below +=
          fmt::format("  {}, {} off: {}\n", situation, layer, escape_for_log(cell->effect, 200));
    }
    text += '\n';
  }
  return text + '\n' + below;
}

std::string layers_to_json(const Report& report) {
  JsonText json;
  json.open('{');
  json.field("schema", std::string_view("mizan.prove.layers/1"));
  json.field("seed", report.seed);
  json.key("stores");
  json.open('[');
  for (const StoreReport& store : report.stores) {
    json.open('{');
    json.field("name", std::string_view(store.name));
    json.field("version", std::string_view(store.target.version));
    json.key("layers");
    json.open('[');
    for (const LayerCell& cell : store.layers) {
      json.open('{');
      json.field("situation", std::string_view(cell.situation));
      json.field("off", std::string_view(cell.off));
      json.field("right", cell.is_right);
      json.field("effect", std::string_view(cell.effect));
      json.close('}');
    }
    json.close(']');
    json.close('}');
  }
  json.close(']');
  json.close('}');
  return json.take() + '\n';
}

}  // namespace mizan::prover
