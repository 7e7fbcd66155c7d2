#pragma once

#include "mizan/result.hpp"

#include <filesystem>
#include <string_view>

namespace mizan::sqlite {

class Connection;

/// What the system's error number means when a file is opened: an `invalid_request` where only
/// another request, or somebody's hand, can help; else `unavailable`.
[[nodiscard]] Error open_failure(const std::filesystem::path& file, int reason);

/// Refuses what must not be opened as a ledger: a folder, a file of several names (each name would
/// have an owner and a WAL of its own), and a name whose WAL is there without its database, which
/// SQLite would delete with every commit in it.
[[nodiscard]] Status check_openable(const std::filesystem::path& file);

/// Refuses a file that is plainly no ledger by its first bytes alone, so that nothing is made
/// beside what belongs to others. Where a WAL stands beside it only a connection can tell.
[[nodiscard]] Status check_header(const std::filesystem::path& file);

/// `unavailable` where the open file is no longer the one file of that name: what would be
/// committed then goes to a WAL that nobody finds. Costs two stat calls.
[[nodiscard]] Status check_in_place(Connection& connection, const std::filesystem::path& file);

}  // namespace mizan::sqlite
