#include "prover/servers/schemas.hpp"

#include "base/text.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#if MIZAN_WITH_POSTGRES

#include <libpq-fe.h>

#include <array>
#include <fstream>

namespace mizan::prover {

namespace {

constexpr int drop_tries_max = 12;  // Each waits for locks up to 5 s.

struct Finish {
  void operator()(PGconn* link) const noexcept { PQfinish(link); }
};

struct Clear {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};

struct Free {
  void operator()(char* text) const noexcept { PQfreemem(text); }
};

using Link = std::unique_ptr<PGconn, Finish>;
using Answer = std::unique_ptr<PGresult, Clear>;

Error failed(PGconn* link, std::string_view what) {
  std::string said = link == nullptr ? std::string() : PQerrorMessage(link);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return unavailable("prover: " + std::string(what), escape_for_log(said));
}

Result<Link> connect(const PostgresOptions& options) {
  std::string password;
  if (!options.password_file.empty()) {
    std::ifstream file(options.password_file);
    std::getline(file, password);
  }
  // Later words win: what the URL says about the timeout, and the file's password over the URL's.
  const std::array<const char*, 5> names{
      "connect_timeout", "application_name", "dbname", "password", nullptr};
  const std::array<const char*, 5> values{"10",
                                          "mizan prove",
                                          options.url.c_str(),
                                          password.empty() ? nullptr : password.c_str(),
                                          nullptr};
  Link link(PQconnectdbParams(names.data(), values.data(), 1));
  if (PQstatus(link.get()) != CONNECTION_OK) return failed(link.get(), "connect");
  return link;
}

Result<std::vector<std::string>> find_schemas(PGconn* link, std::string_view prefix) {
  const std::string wanted(prefix);
  const std::array<const char*, 1> values{wanted.c_str()};
  const Answer answer(PQexecParams(
      link,
      "SELECT nspname FROM pg_namespace WHERE starts_with(nspname::text, $1::text) ORDER BY 1",
      1,
      nullptr,
      values.data(),
      nullptr,
      nullptr,
      0));
  if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK) return failed(link, "find schemas");
  std::vector<std::string> names;
  for (int row = 0; row < PQntuples(answer.get()); ++row) {
    names.emplace_back(PQgetvalue(answer.get(), row, 0));
  }
  return names;
}

Status run(PGconn* link, const std::string& statement) {
  const Answer answer(PQexec(link, statement.c_str()));
  if (PQresultStatus(answer.get()) == PGRES_COMMAND_OK) return {};
  return failed(link, "drop");
}

/// A killed worker's session may hold its locks for a moment longer: then once more.
Status drop(PGconn* link, const std::string& name) {
  const std::unique_ptr<char, Free> quoted(PQescapeIdentifier(link, name.c_str(), name.size()));
  if (quoted == nullptr) return failed(link, "drop");
  const std::string statement = "DROP SCHEMA IF EXISTS " + std::string(quoted.get()) + " CASCADE";
  Status dropped;
  for (int tries = 0; tries < drop_tries_max; ++tries) {
    dropped = run(link, statement);
    if (dropped || PQstatus(link) != CONNECTION_OK) break;
  }
  return dropped;
}

}  // namespace

Result<std::size_t> count_schemas(const PostgresOptions& options, std::string_view prefix) {
  const auto link = connect(options);
  if (!link) return link.error();
  const auto names = find_schemas(link->get(), prefix);
  if (!names) return names.error();
  return names->size();
}

Status drop_schemas(const PostgresOptions& options, std::string_view prefix) {
  const auto link = connect(options);
  if (!link) return link.error();
  const auto names = find_schemas(link->get(), prefix);
  if (!names) return names.error();
  if (names->empty()) return {};
  Status all = run(link->get(), "SET lock_timeout = '5s'; SET client_min_messages = warning");
  for (const std::string& name : *names) {
    Status dropped = drop(link->get(), name);
    if (!dropped) all = std::move(dropped);
  }
  return all;
}

}  // namespace mizan::prover

#else

namespace mizan::prover {

namespace {

Error not_built_in() {
  return invalid_request("mizan prove", "this build has no PostgreSQL store");
}

}  // namespace

Result<std::size_t> count_schemas(const PostgresOptions&, std::string_view) {
  return not_built_in();
}

Status drop_schemas(const PostgresOptions&, std::string_view) {
  return not_built_in();
}

}  // namespace mizan::prover

#endif
