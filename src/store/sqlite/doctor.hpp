#pragma once

#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <filesystem>
#include <vector>

namespace mizan::sqlite {

class Connection;

/// Refuses a writing connection whose settings are not in effect as configured: a build of SQLite
/// may leave some of them out.
[[nodiscard]] Status check_writer_settings(Connection& connection);

/// The settings of the writing connection, as findings.
[[nodiscard]] Result<std::vector<Finding>> inspect_settings(Connection& connection);

/// The library, the schema, the file's structure (reads every page), the file system and the WAL.
[[nodiscard]] Result<std::vector<Finding>> inspect_file(Connection& connection,
                                                        const std::filesystem::path& file);

/// The file and its WAL together.
[[nodiscard]] std::uint64_t bytes_on_disk(const std::filesystem::path& file);

}  // namespace mizan::sqlite
