#include "store/postgres/schema.hpp"

#include "store/postgres/postgres_sql.hpp"

#include <string_view>
#include <utility>

namespace mizan::postgres {
namespace {

Parameters text(std::string_view value) {
  Parameters parameters;
  parameters.text(value);
  return parameters;
}

Error too_new(std::int64_t version) {
  return invalid_request("postgres: schema",
                         "the ledger has schema version " + std::to_string(version) +
                             ", this program knows up to " +
                             std::to_string(newest_schema_version()) + "; use the newer program");
}

Result<std::int64_t> read_version(Session& session) {
  auto answer = session.ask(postgres_sql::read_schema_version);
  if (!answer) return answer.error();
  return Row(*answer, 0).integer(0);
}

/// Makes what the migrations stand on.
Status prepare_schema(Session& session) {
  session.send(postgres_sql::lock_schema, text(session.connection().schema()));
  session.send(postgres_sql::find_schema, text(session.connection().schema()));
  auto answers = session.run();
  if (!answers) return answers.error();
  const Row found(answers->back(), 0);
  if (!found.flag(0)) session.send(postgres_sql::create_schema);
  if (!found.flag(1)) session.send(postgres_sql::create_migrations);
  auto made = session.run();
  if (!made) return made.error();
  return {};
}

Status run_migration(Session& session, std::int64_t version) {
  const auto& [name, script] = postgres_sql::all_migrations[static_cast<std::size_t>(version - 1)];
  if (Status ran = session.connection().run_script(script, name); !ran) return ran;
  Parameters parameters;
  parameters.integer(version).text(name);
  auto answer = session.ask(postgres_sql::insert_migration, parameters);
  if (!answer) return answer.error();
  return {};
}

}  // namespace

std::int64_t newest_schema_version() noexcept {
  return static_cast<std::int64_t>(postgres_sql::all_migrations.size());
}

Status require_schema(Session& session) {
  const auto version = read_version(session);
  if (!version) return version.error();
  if (*version > newest_schema_version()) return too_new(*version);
  if (*version == newest_schema_version()) return {};
  return invalid_request("postgres: schema",
                         "the ledger has schema version " + std::to_string(*version) +
                             ", this program needs " + std::to_string(newest_schema_version()) +
                             "; run `mizan migrate` (or Store::migrate)");
}

Result<std::vector<std::string>> run_migrations(Session session) {
  if (Status prepared = prepare_schema(session); !prepared) return prepared.error();
  const auto found = read_version(session);
  if (!found) return found.error();
  if (*found > newest_schema_version()) return too_new(*found);
  std::vector<std::string> names;
  for (std::int64_t version = *found + 1; version <= newest_schema_version(); ++version) {
    if (Status done = run_migration(session, version); !done) return done.error();
    names.emplace_back(postgres_sql::all_migrations[static_cast<std::size_t>(version - 1)].first);
  }
  if (Status committed = session.commit(); !committed) return committed.error();
  return names;
}

}  // namespace mizan::postgres
