#include "prover/servers/sql_link.hpp"

#include "base/text.hpp"

namespace mizan::prover {

std::string_view to_string(Engine engine) noexcept {
  switch (engine) {
    case Engine::sqlite:
      return "sqlite";
    case Engine::postgres:
      return "postgres";
    case Engine::mariadb:
      return "mariadb";
  }
  return "sqlite";
}

std::string_view to_string(SqlFailure failure) noexcept {
  switch (failure) {
    case SqlFailure::none:
      return "none";
    case SqlFailure::deadlock:
      return "deadlock";
    case SqlFailure::lock_timeout:
      return "lock timeout";
    case SqlFailure::serialization:
      return "serialization failure";
    case SqlFailure::other:
      return "failure";
  }
  return "failure";
}

Result<Engine> engine_of(std::string_view url) {
  const std::string_view scheme = url.substr(0, url.find(':'));
  if (scheme == "sqlite") return Engine::sqlite;
  const bool is_postgres = scheme == "postgres" || scheme == "postgresql";
  const bool is_mariadb = scheme == "mariadb" || scheme == "mysql";
  if (is_postgres && MIZAN_WITH_POSTGRES != 0) return Engine::postgres;
  if (is_mariadb && MIZAN_WITH_MARIADB != 0) return Engine::mariadb;
  if (is_postgres) return invalid_request("mizan prove", "this build has no PostgreSQL store");
  if (is_mariadb) return invalid_request("mizan prove", "this build has no MariaDB store");
  return invalid_request("mizan prove",
                         "--store takes sqlite: (fresh files of its own), postgres://… or "
                         "mariadb://…");
}

std::chrono::milliseconds SqlLink::deadlock_check_after() {
  if (engine() != Engine::postgres) return std::chrono::milliseconds{0};
  constexpr std::chrono::milliseconds by_default{1'000};
  const auto answer = run(
      "SELECT (extract(epoch FROM current_setting('deadlock_timeout')::interval) * 1000)::bigint");
  if (!answer || answer->rows.empty()) return by_default;
  const auto number = parse_unsigned(answer->rows.front().front());
  return number ? std::chrono::milliseconds{*number} : by_default;
}

bool SqlLink::sees_lock_wait(const std::string& room) {
  // MariaDB shows the locks themselves to administrators only; a statement of a few rows that has
  // been running for so long waits for one.
  const auto answer =
      run(engine() == Engine::postgres
              ? "SELECT 1 FROM pg_locks AS wanted JOIN pg_locks AS held USING (pid) "
                "JOIN pg_class ON pg_class.oid = held.relation "
                "JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace "
                "WHERE NOT wanted.granted AND nspname = '" +
                    room + "'"
              : "SELECT 1 FROM information_schema.processlist "
                "WHERE command <> 'Sleep' AND time_ms > 150 AND db = '" +
                    room + "'");
  return answer && !answer->rows.empty();
}

Result<std::unique_ptr<SqlLink>> SqlLink::open(const std::string& url, const std::string& room) {
  const auto engine = engine_of(url);
  if (!engine) return engine.error();
  if (*engine == Engine::postgres) return open_postgres_link(url, room);
  if (*engine == Engine::mariadb) return open_mariadb_link(url, room);
  return invalid_request("mizan prove", "SQLite has no server");
}

}  // namespace mizan::prover
