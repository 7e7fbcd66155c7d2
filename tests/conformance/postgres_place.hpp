#pragma once

#include "mizan/postgres.hpp"

#include "testkit/postgres_server.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace mizan::conformance {

/// Each directory is a schema of this process's PostgreSQL server; whoever opens the same one finds
/// the same ledger.
inline std::string schema_of(const std::filesystem::path& directory) {
  return "d" + std::to_string(std::hash<std::string>{}(directory.string()));
}

inline Result<std::unique_ptr<Store>> open_postgres(const std::filesystem::path& directory,
                                                    const Clock& clock,
                                                    StepHook on_step = {}) {
  auto server = testkit::PostgresServer::shared();
  if (!server) return server.error();
  PostgresOptions options;
  options.url = (*server)->url();
  options.schema = schema_of(directory);
  options.on_step = std::move(on_step);
  return open_postgres_store(std::move(options), clock);
}

}  // namespace mizan::conformance
