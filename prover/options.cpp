#include "prover/options.hpp"

#include "base/text.hpp"
#include "prover/scenario.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace mizan::prover {

namespace {

Error wrong(const std::string& detail) {
  return invalid_request("mizan prove", detail);
}

Status take_engine(ProveOptions& options, std::string_view value) {
  constexpr std::array<std::string_view, 4> known{"sqlite", "postgres", "mariadb", "galera"};
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    return wrong("--engine takes sqlite, postgres, mariadb or galera");
  }
  options.engines.emplace_back(value);
  return {};
}

Status take_value(ProveOptions& options, std::string_view name, std::string_view value) {
  if (name == "--seed") {
    options.seed = parse_unsigned(value);
    if (!options.seed) return wrong("--seed takes a number, not " + escape_for_log(value));
  } else if (name == "--strategy") {
    const auto strategy = parse_strategy(value);
    if (!strategy) {
      return wrong("--strategy takes batched, atomic, optimistic or pessimistic");
    }
    options.strategies.push_back(*strategy);
  } else if (name == "--store") {
    options.stores.emplace_back(value);
  } else if (name == "--engine") {
    return take_engine(options, value);
  } else if (name == "--lock") {
    options.lock = std::string(value);
  } else {
    options.report_file = std::string(value);
  }
  return {};
}

bool take_switch(ProveOptions& options, std::string_view word) {
  const std::map<std::string_view, bool*> switches{
      {"--list", &options.list},
      {"--json", &options.json},
      {"--keep", &options.keep},
      {"--self-test", &options.self_test},
      {"--layers", &options.layers},
      {"--lab", &options.lab},
      {"--allow-destructive", &options.allow_destructive},
      {"--help", &options.help}};
  const auto found = switches.find(word);
  if (found == switches.end()) return false;
  *found->second = true;
  return true;
}

bool takes_value(std::string_view word) {
  constexpr std::array<std::string_view, 6> all{
      "--seed", "--strategy", "--store", "--engine", "--lock", "--report"};
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

Result<ProveOptions> parse_prove_options(std::span<const std::string_view> words) {
  ProveOptions options;
  for (std::size_t index = 0; index < words.size(); ++index) {
    const std::string_view word = words[index];
    if (take_switch(options, word)) continue;
    if (takes_value(word)) {
      if (index + 1 == words.size()) return wrong(std::string(word) + " needs a value");
      const Status taken = take_value(options, word, words[++index]);
      if (!taken) return taken.error();
      continue;
    }
    if (word.starts_with("-")) return wrong("unknown option " + escape_for_log(word));
    if (find_scenario(word) == nullptr) {
      return wrong("there is no scenario " + escape_for_log(word) + "; see mizan prove --list");
    }
    options.scenarios.emplace_back(word);
  }
  if (options.lab && !options.stores.empty()) {
    return wrong("--lab starts servers of its own; leave --store out");
  }
  if (options.lab && !options.lock.empty()) {
    return wrong("--lab starts a Redis of its own; leave --lock out");
  }
  if (options.allow_destructive && options.lock.empty()) {
    return wrong("--allow-destructive is about the Redis of --lock");
  }
  if (!options.lab && !options.engines.empty()) return wrong("--engine goes with --lab");
  return options;
}

Result<DemoOptions> parse_demo_options(std::span<const std::string_view> words) {
  DemoOptions options;
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (words[index] == "--help") {
      options.help = true;
    } else if (words[index] == "--file" && index + 1 < words.size()) {
      options.file = std::string(words[++index]);
    } else {
      return invalid_request(
          "mizan demo",
          "unexpected " + escape_for_log(words[index]) + "; it takes --file FILE only");
    }
  }
  return options;
}

}  // namespace mizan::prover
