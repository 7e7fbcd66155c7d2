#include "store/mariadb/schema.hpp"

#include "store/mariadb/cluster_turn.hpp"
#include "store/mariadb/mariadb_sql.hpp"

#include <chrono>
#include <string_view>
#include <utility>

namespace mizan::mariadb {
namespace {

constexpr std::chrono::milliseconds migrate_longest{60'000};

Parameters text(std::string_view value) {
  Parameters parameters;
  parameters.text(value);
  return parameters;
}

Error too_new(std::int64_t version) {
  return invalid_request("mariadb: schema",
                         "the ledger has schema version " + std::to_string(version) +
                             ", this program knows up to " +
                             std::to_string(newest_schema_version()) + "; use the newer program");
}

Result<std::int64_t> read_version(Session& session) {
  auto answer = session.ask(mariadb_sql::read_schema_version);
  if (!answer) return answer.error();
  return Row(*answer, 0).integer(0);
}

/// Everybody else waits meanwhile, if not for longer than until the deadline.
class MigrationLock {
 public:
  explicit MigrationLock(Connection& connection, Deadline deadline) noexcept
      : connection_(connection), deadline_(deadline) {}

  MigrationLock(const MigrationLock&) = delete;
  MigrationLock& operator=(const MigrationLock&) = delete;

  ~MigrationLock() {
    if (!is_taken_ || connection_.is_lost()) return;
    static_cast<void>(
        connection_.ask(mariadb_sql::unlock_schema, text(connection_.prefix()), deadline_));
  }

  Status take(std::int64_t seconds) {
    Parameters parameters = text(connection_.prefix());
    parameters.integer(seconds);
    auto answer = connection_.ask(mariadb_sql::lock_schema, parameters, deadline_);
    if (!answer) return answer.error();
    is_taken_ = Row(*answer, 0).integer(0) == 1;
    if (is_taken_) return {};
    return unavailable("mariadb: migrate", "another process migrates the ledger for too long");
  }

 private:
  Connection& connection_;
  Deadline deadline_;
  bool is_taken_ = false;
};

Result<std::int64_t> read_version(Connection& connection, Deadline deadline) {
  auto answer = connection.ask(mariadb_sql::read_schema_version, {}, deadline);
  if (!answer) return answer.error();
  return Row(*answer, 0).integer(0);
}

Status run_migration(Connection& connection, std::int64_t version, Deadline deadline) {
  const auto& [name, script] = mariadb_sql::all_migrations[static_cast<std::size_t>(version - 1)];
  if (Status ran = connection.run_script(script, name, deadline); !ran) return ran;
  Parameters parameters;
  parameters.integer(version).text(name);
  auto answer = connection.ask(mariadb_sql::insert_migration, parameters, deadline);
  if (!answer) return answer.error();
  return connection.tell(mariadb_sql::commit, {}, deadline);
}

}  // namespace

std::int64_t newest_schema_version() noexcept {
  return static_cast<std::int64_t>(mariadb_sql::all_migrations.size());
}

Status require_schema(Session& session) {
  const auto version = read_version(session);
  if (!version) return version.error();
  if (*version > newest_schema_version()) return too_new(*version);
  if (*version == newest_schema_version()) return {};
  return invalid_request("mariadb: schema",
                         "the ledger has schema version " + std::to_string(*version) +
                             ", this program needs " + std::to_string(newest_schema_version()) +
                             "; run `mizan migrate` (or Store::migrate)");
}

Status test_found_rows(Session& session) {
  Parameters parameters;
  parameters.integer(newest_schema_version());
  auto answer = session.ask(mariadb_sql::test_found_rows, parameters);
  if (!answer) return answer.error();
  session.roll_back();
  if (answer->affected() == 1) return {};
  return internal_error("mariadb: schema",
                        "the server counts changed rows instead of found ones; what stands in "
                        "between?");
}

namespace {

/// For whoever has the turn.
Result<std::vector<std::string>> run_missing(Connection& connection, Deadline deadline) {
  if (Status made = connection.tell(mariadb_sql::create_migrations, {}, deadline); !made) {
    return made.error();
  }
  const auto found = read_version(connection, deadline);
  if (!found) return found.error();
  if (*found > newest_schema_version()) return too_new(*found);
  std::vector<std::string> names;
  for (std::int64_t version = *found + 1; version <= newest_schema_version(); ++version) {
    if (Status done = run_migration(connection, version, deadline); !done) return done.error();
    names.emplace_back(mariadb_sql::all_migrations[static_cast<std::size_t>(version - 1)].first);
  }
  if (Status ended = connection.tell(mariadb_sql::rollback, {}, deadline); !ended) {
    return ended.error();
  }
  return names;
}

/// One server: a named lock keeps the others away.
Result<std::vector<std::string>> run_on_server(Connection& connection, Deadline deadline) {
  constexpr std::int64_t wait_seconds = 50;
  MigrationLock lock(connection, deadline);
  if (Status taken = lock.take(wait_seconds); !taken) return taken.error();
  return run_missing(connection, deadline);
}

}  // namespace

Result<std::vector<std::string>> run_migrations(Pool::Lent lent,
                                                const Clock& clock,
                                                Deadline deadline) {
  Connection& connection = lent.connection();
  if (Status bound = connection.bound_statements(migrate_longest, deadline); !bound) {
    return bound.error();
  }
  if (!connection.peer().is_node) return run_on_server(connection, deadline);
  ClusterTurn turn(std::move(lent), clock, deadline);
  if (Status taken = turn.take(); !taken) return taken.error();
  auto names = run_missing(connection, deadline);
  turn.give_back();
  return names;
}

}  // namespace mizan::mariadb
