#include "testkit/pgbouncer.hpp"

#include "testkit/postgres_server.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace mizan::testkit {
namespace {

/// It refuses to run as root.
constexpr const char* server_user = "postgres";

/// Where a process tells its children which one it started.
constexpr const char* url_variable = "MIZAN_TEST_PGBOUNCER";

std::optional<std::filesystem::path> find_pgbouncer() {
  return find_program("pgbouncer", {"/usr/sbin", "/usr/bin"});
}

/// The value of a parameter in the URL of a private server.
std::string parameter(const std::string& url, const std::string& name) {
  const std::size_t at = url.find(name + "=");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 1;
  return url.substr(begin, url.find('&', begin) - begin);
}

void write_settings(const std::filesystem::path& file, const std::string& server, unsigned port) {
  std::ofstream out(file);
  out << "[databases]\n"
      << "postgres = host=" << parameter(server, "host") << " port=" << parameter(server, "port")
      << " user=mizan\n"
      << "[pgbouncer]\n"
      << "listen_addr = 127.0.0.1\n"
      << "listen_port = " << port << "\n"
      << "unix_socket_dir =\n"
      << "auth_type = any\n"
      << "pool_mode = transaction\n"
      << "default_pool_size = 40\n"
      << "max_client_conn = 500\n";
}

}  // namespace

Result<PgBouncer*> PgBouncer::shared() {
  static const auto started = [] {
    const std::string inherited = environment_variable(url_variable);
    if (inherited.empty()) return start();
    return Result<std::unique_ptr<PgBouncer>>(
        std::unique_ptr<PgBouncer>(new PgBouncer(inherited, std::nullopt)));
  }();
  if (!started) return started.error();
  ::setenv(url_variable, (*started)->url().c_str(), 1);
  return started->get();
}

std::optional<std::string> PgBouncer::why_missing() {
  if (auto server = PostgresServer::why_missing()) return server;
  if (find_pgbouncer()) return std::nullopt;
  return "pgbouncer is not installed (Debian package pgbouncer)";
}

Result<std::unique_ptr<PgBouncer>> PgBouncer::start() {
  const auto program = find_pgbouncer();
  if (!program) return unavailable("pgbouncer", *why_missing());
  auto behind = PostgresServer::shared();
  if (!behind) return behind.error();
  auto directory = Server::make_directory("mizan-pgbouncer", server_user);
  if (!directory) return directory.error();
  const auto port = free_port();
  if (!port) return port.error();
  const std::filesystem::path settings = (*directory)->path() / "pgbouncer.ini";
  write_settings(settings, (*behind)->url(), *port);
  ServerCommand command;
  command.arguments = {program->string(), settings.string()};
  command.user = server_user;
  auto server = Server::start(std::move(*directory), command);
  if (!server) return server.error();
  const std::string url = "postgres://mizan@/postgres?host=127.0.0.1&port=" + std::to_string(*port);
  const auto ready = find_program("pg_isready", {"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin"});
  if (!ready) return unavailable("pgbouncer", "pg_isready is not installed");
  Status up = server->wait_until_ready([&] {
    return Server::run({ready->string(), "--quiet", "--dbname=" + url}, {}).has_value();
  });
  if (!up) return up.error();
  return std::unique_ptr<PgBouncer>(new PgBouncer(url, std::move(*server)));
}

}  // namespace mizan::testkit
