#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mizan::sqlite {

class Connection;

/// What kind of file a connection has open.
struct FileIdentity {
  std::int64_t application_id = 0;
  std::int64_t schema_version = 0;
  std::int64_t objects = 0;  ///< Tables, indexes and views; 0: an empty file.

  [[nodiscard]] bool is_empty() const noexcept { return objects == 0 && application_id == 0; }
};

[[nodiscard]] Result<FileIdentity> read_identity(Connection& connection);

/// The schema version that this program works with.
[[nodiscard]] std::int64_t newest_schema_version() noexcept;

/// Refuses a file that is somebody else's, or that a newer program has written.
[[nodiscard]] Status check_identity(const FileIdentity& identity);

/// Refuses a file whose schema is not the current one, and says how to bring it there.
[[nodiscard]] Status require_schema(Connection& connection);

/// Runs each migration that is missing in a transaction of its own; answers their names.
[[nodiscard]] Result<std::vector<std::string>> run_migrations(Connection& connection,
                                                              Timestamp now);

}  // namespace mizan::sqlite
