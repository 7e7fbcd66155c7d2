#pragma once

#include "mizan/mariadb.hpp"

#include "testkit/galera_cluster.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace mizan::conformance {

/// Each directory is a set of tables of this process's Galera cluster, whose names begin alike;
/// whoever opens the same one, at whichever node, finds the same ledger.
inline std::string galera_prefix_of(const std::filesystem::path& directory) {
  return "d" + std::to_string(std::hash<std::string>{}(directory.string())) + "_";
}

inline Result<std::unique_ptr<Store>> open_galera(const std::string& url,
                                                  const std::filesystem::path& directory,
                                                  const Clock& clock,
                                                  StepHook on_step = {}) {
  auto options = parse_mariadb_url(url);
  if (!options) return options.error();
  options->prefix = galera_prefix_of(directory);
  options->on_step = std::move(on_step);
  return open_mariadb_store(*std::move(options), clock);
}

}  // namespace mizan::conformance
