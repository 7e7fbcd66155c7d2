#include "prover/servers/rooms.hpp"

#include "prover/servers/sql_link.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::prover {

namespace {

constexpr int drop_tries_max = 12;  // Each waits for locks up to 5 s.

using Names = std::vector<std::string>;

bool is_postgres(const SqlLink& link) {
  return link.engine() == Engine::postgres;
}

/// All names are read and compared here, so that the prefix stands in no statement.
Result<Names> find_rooms(SqlLink& link, std::string_view prefix) {
  const auto all = link.run(is_postgres(link)
                                ? "SELECT nspname FROM pg_namespace ORDER BY 1"
                                : "SELECT schema_name FROM information_schema.schemata ORDER BY 1");
  if (!all) return all.error();
  Names names;
  for (const auto& row : all->rows) {
    if (row.at(0).starts_with(prefix)) names.push_back(row.at(0));
  }
  return names;
}

/// A killed worker's session may hold its locks for a moment longer: then once more.
Status drop(SqlLink& link, const std::string& name) {
  const std::string statement = is_postgres(link)
                                    ? "DROP SCHEMA IF EXISTS " + link.quoted(name) + " CASCADE"
                                    : "DROP DATABASE IF EXISTS " + link.quoted(name);
  for (int tries = 1;; ++tries) {
    const auto dropped = link.run(statement);
    if (dropped) return {};
    const bool waited =
        link.failure() == SqlFailure::lock_timeout || link.failure() == SqlFailure::deadlock;
    if (!waited || tries == drop_tries_max) return dropped.error();
  }
}

Status be_patient(SqlLink& link) {
  const auto set =
      link.run(is_postgres(link) ? "SET lock_timeout = '5s'; SET client_min_messages = warning"
                                 : "SET SESSION lock_wait_timeout = 5");
  if (!set) return set.error();
  return {};
}

}  // namespace

Result<std::size_t> count_rooms(const std::string& url, std::string_view prefix) {
  const auto link = SqlLink::open(url);
  if (!link) return link.error();
  const auto names = find_rooms(**link, prefix);
  if (!names) return names.error();
  return names->size();
}

Status make_room(const std::string& url, const std::string& name) {
  const auto link = SqlLink::open(url);
  if (!link) return link.error();
  const auto made = (*link)->run(
      (is_postgres(**link) ? "CREATE SCHEMA IF NOT EXISTS " : "CREATE DATABASE IF NOT EXISTS ") +
      (*link)->quoted(name));
  if (made) return {};
  const std::string code = (*link)->failure_code();
  if (code != "1044" && code != "1227") return made.error();
  return invalid_request("mizan prove",
                         "the user may not make databases of its own here; GRANT ALL ON "
                         "`prove\\_%`.* TO that user");
}

Status drop_rooms(const std::string& url, std::string_view prefix) {
  const auto link = SqlLink::open(url);
  if (!link) return link.error();
  const auto names = find_rooms(**link, prefix);
  if (!names) return names.error();
  if (names->empty()) return {};
  Status all = be_patient(**link);
  for (const std::string& name : *names) {
    Status dropped = drop(**link, name);
    if (!dropped) all = std::move(dropped);
  }
  return all;
}

}  // namespace mizan::prover
