#pragma once

#include "mizan/mariadb.hpp"

#include "testkit/mariadb_server.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace mizan::conformance {

/// Each directory is a set of tables of this process's MariaDB server, whose names begin alike;
/// whoever opens the same one finds the same ledger.
inline std::string prefix_of(const std::filesystem::path& directory) {
  return "d" + std::to_string(std::hash<std::string>{}(directory.string())) + "_";
}

inline Result<std::unique_ptr<Store>> open_mariadb(const std::filesystem::path& directory,
                                                   const Clock& clock,
                                                   StepHook on_step = {}) {
  auto server = testkit::MariadbServer::shared();
  if (!server) return server.error();
  auto options = parse_mariadb_url((*server)->url());
  if (!options) return options.error();
  options->prefix = prefix_of(directory);
  options->on_step = std::move(on_step);
  return open_mariadb_store(*std::move(options), clock);
}

}  // namespace mizan::conformance
