#pragma once

#include "mizan/clock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mizan {

struct PostgresOptions {
  /// What libpq reads: `postgres://user@host:port/database?sslmode=verify-full`. The password may
  /// stand in it; better places are PGPASSWORD, PGPASSFILE and `password_file`.
  std::string url;
  std::filesystem::path password_file;  ///< Its first line is the password. Empty: none.
  std::string schema = "mizan";         ///< 1–63 of `a-z0-9_`, not beginning with a digit.

  // Changes performance.
  std::uint32_t connections_max = 16;  ///< Open transactions at once; who comes later waits.
  std::uint32_t readers_max = 8;       ///< Open snapshots at once; then they wait.

  /// Prepares each statement once per connection. Switched off by itself where a pooler is found
  /// that hands a connection on between transactions.
  bool prepared_statements = true;

  std::chrono::milliseconds open_wait{10'000};  ///< How long opening waits for the server.

  StepHook on_step;  ///< See store.hpp; for tests.
};

/// Takes the ledger's own parameters out of a URL: `schema`, `password_file`, `connections_max`,
/// `readers_max` and `prepared_statements` (`on` or `off`). The rest is libpq's.
/// Errors: `invalid_request` for a value that is none; no message has a password in it.
[[nodiscard]] Result<PostgresOptions> parse_postgres_url(std::string_view url);

/// Connects and looks at the server; `migrate` makes or updates the tables.
/// Errors: `unavailable` while the server cannot be reached; `invalid_request` for options that
/// cannot be, or a server that is too old. No message has a password in it.
/// Blocks: up to `open_wait`, or a second longer while nobody answers.
///
/// A ledger in one schema of a PostgreSQL database (13 or later). Any number of processes may have
/// it open at once; transaction-pooling poolers may stand in between. `clock` must outlive it.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(PostgresOptions options,
                                                                 const Clock& clock);

}  // namespace mizan
