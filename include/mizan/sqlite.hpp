#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace mizan {

enum class SqliteAccess : std::uint8_t {
  own,        ///< The one writing process. Creates the file where `create` says so.
  read_only,  ///< Beside an owner; `begin` and `migrate` answer `invalid_request`.
};

struct SqliteOptions {
  std::filesystem::path file;
  SqliteAccess access = SqliteAccess::own;
  bool create = true;  ///< False: a missing file is an error that says how to make one.

  /// How long to wait for another owner to leave; then `unavailable` naming its process.
  std::chrono::milliseconds owner_wait{2'000};

  // Changes performance.
  std::uint32_t checkpoint_pages = 4'096;  ///< Size the WAL may reach before it is copied back.
  std::uint32_t cache_kib = 65'536;
  std::uint32_t readers_max = 8;  ///< Snapshots open at once; then they wait.

  StepHook on_step;  ///< See store.hpp; for tests.
};

/// Opens the file; `migrate` makes or updates the tables.
/// Errors: `unavailable` while another process owns the file (it is named), after `owner_wait`;
/// `invalid_request` for a missing file that may not be created and for one that is no ledger.
/// Blocks: up to `owner_wait`.
///
/// A ledger in one SQLite file (WAL, synchronous=FULL, STRICT tables). One owning process at a
/// time; readers beside it. `clock` must outlive it.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite_store(SqliteOptions options,
                                                               const Clock& clock);

}  // namespace mizan
