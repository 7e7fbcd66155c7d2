#include "store/sqlite/schema.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <string_view>

namespace mizan::sqlite {
namespace {

/// "MIZN", as `file` and the shell's .dbinfo show it.
constexpr std::int64_t mizan_application_id = 0x4d495a4e;

Status run_migration(Connection& connection, std::int64_t version, Timestamp now) {
  const auto& [name, text] = sqlite_sql::all_migrations[static_cast<std::size_t>(version - 1)];
  if (Status begun = connection.statement(sqlite_sql::begin_write).run(); !begun) return begun;
  Status done = connection.run_script(text);
  if (done) {
    Statement statement = connection.statement(sqlite_sql::insert_migration);
    statement.bind(1, version).bind(2, name).bind(3, now.time_since_epoch().count());
    done = statement.run();
  }
  if (done) done = connection.statement(sqlite_sql::commit).run();
  if (!done && connection.in_transaction()) {
    static_cast<void>(connection.statement(sqlite_sql::rollback).run_code());
  }
  return done;
}

}  // namespace

std::int64_t newest_schema_version() noexcept {
  return static_cast<std::int64_t>(sqlite_sql::all_migrations.size());
}

Result<FileIdentity> read_identity(Connection& connection) {
  Statement statement = connection.statement(sqlite_sql::read_identity);
  auto found = statement.step();
  if (!found) return found.error();
  return FileIdentity{statement.integer(0), statement.integer(1), statement.integer(2)};
}

Status check_identity(const FileIdentity& identity) {
  if (identity.is_empty()) return {};
  if (identity.application_id != mizan_application_id) {
    return invalid_request("sqlite: open",
                           "the file is an SQLite database, but not a Mizan ledger; "
                           "name another file");
  }
  if (identity.schema_version > newest_schema_version()) {
    return invalid_request("sqlite: open",
                           "the file has schema version " +
                               std::to_string(identity.schema_version) +
                               ", this program knows up to " +
                               std::to_string(newest_schema_version()) + "; use the newer program");
  }
  return {};
}

Status require_schema(Connection& connection) {
  auto identity = read_identity(connection);
  if (!identity) return identity.error();
  if (Status known = check_identity(*identity); !known) return known;
  if (identity->schema_version == newest_schema_version()) return {};
  // No repetition helps before somebody has run it.
  return invalid_request(
      "sqlite: schema",
      identity->is_empty()
          ? "the file has no tables yet; run `mizan init` (or Store::migrate)"
          : "the file has schema version " + std::to_string(identity->schema_version) +
                ", this program needs " + std::to_string(newest_schema_version()) +
                "; run `mizan migrate` (or Store::migrate)");
}

Result<std::vector<std::string>> run_migrations(Connection& connection, Timestamp now) {
  auto identity = read_identity(connection);
  if (!identity) return identity.error();
  if (Status known = check_identity(*identity); !known) return known.error();
  std::vector<std::string> names;
  for (std::int64_t version = identity->schema_version + 1; version <= newest_schema_version();
       ++version) {
    if (Status done = run_migration(connection, version, now); !done) return done.error();
    names.emplace_back(sqlite_sql::all_migrations[static_cast<std::size_t>(version - 1)].first);
  }
  return names;
}

}  // namespace mizan::sqlite
