#include "testkit/postgres_server.hpp"

#include <signal.h>
#include <stdlib.h>

#include <fstream>
#include <vector>

namespace mizan::testkit {
namespace {

/// Debian's user for the server, which refuses to run as root.
constexpr const char* server_user = "postgres";

/// Where a process tells its children which server it started.
constexpr const char* url_variable = "MIZAN_TEST_POSTGRES";

/// Longer ones are no name of a socket.
constexpr std::size_t socket_folder_max = 80;

const std::vector<std::string>& folders() {
  static const std::vector<std::string> places = {"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin"};
  return places;
}

Error missing() {
  return unavailable("postgres server",
                     "initdb, postgres, psql or pg_isready is not installed (Debian package "
                     "postgresql)");
}

struct Programs {
  std::string initdb;
  std::string postgres;
  std::string psql;
  std::string is_ready;
};

std::optional<Programs> find_programs() {
  Programs programs;
  const std::pair<const char*, std::string*> wanted[] = {{"initdb", &programs.initdb},
                                                         {"postgres", &programs.postgres},
                                                         {"psql", &programs.psql},
                                                         {"pg_isready", &programs.is_ready}};
  for (const auto& [name, place] : wanted) {
    const auto found = find_program(name, folders());
    if (!found) return std::nullopt;
    *place = found->string();
  }
  return programs;
}

/// Small, but as durable as a real one.
void write_settings(const std::filesystem::path& data, const std::string& folder, unsigned port) {
  std::ofstream file(data / "postgresql.auto.conf");
  const bool fits = folder.size() <= socket_folder_max;
  file << "listen_addresses = '" << (fits ? "" : "127.0.0.1") << "'\n"
       << "unix_socket_directories = '" << (fits ? folder : "") << "'\n"
       << "port = " << port << "\n"
       << "max_connections = 200\n"
       << "shared_buffers = 64MB\n"
       << "max_wal_size = 256MB\n"
       << "wal_level = minimal\n"
       << "max_wal_senders = 0\n"
       << "fsync = on\n"
       << "synchronous_commit = on\n"
       << "full_page_writes = on\n"
       << "log_min_messages = warning\n";
}

std::string url_of(const std::string& folder, unsigned port) {
  const bool fits = folder.size() <= socket_folder_max;
  return "postgres://mizan@/postgres?host=" + (fits ? folder : "127.0.0.1") +
         "&port=" + std::to_string(port);
}

}  // namespace

Result<PostgresServer*> PostgresServer::shared() {
  static const auto started = [] {
    const std::string inherited = environment_variable(url_variable);
    if (inherited.empty()) return start();
    return Result<std::unique_ptr<PostgresServer>>(
        std::unique_ptr<PostgresServer>(new PostgresServer(inherited, std::nullopt)));
  }();
  if (!started) return started.error();
  ::setenv(url_variable, (*started)->url().c_str(), 1);
  return started->get();
}

std::optional<std::string> PostgresServer::why_missing() {
  if (find_programs()) return std::nullopt;
  return missing().detail;
}

Result<std::unique_ptr<PostgresServer>> PostgresServer::start(
    const std::function<void(const std::filesystem::path& data)>& prepare) {
  const auto programs = find_programs();
  if (!programs) return missing();
  auto directory = Server::make_directory("mizan-postgres", server_user);
  if (!directory) return directory.error();
  const std::string folder = (*directory)->path().string();
  const std::string data = folder + "/data";
  Status made = Server::run({programs->initdb,
                             "--pgdata=" + data,
                             "--username=mizan",
                             "--auth=trust",
                             "--encoding=UTF8",
                             "--locale=C",
                             "--no-sync",
                             "--no-instructions"},
                            server_user);
  if (!made) return made.error();
  const auto port = free_port();
  if (!port) return port.error();
  write_settings(data, folder, *port);
  if (prepare) prepare(data);
  ServerCommand command;
  command.arguments = {programs->postgres, "-D", data};
  command.user = server_user;
  command.stop_signal = SIGQUIT;  // Nobody needs its data any more.
  auto server = Server::start(std::move(*directory), command);
  if (!server) return server.error();
  const std::string url = url_of(folder, *port);
  Status ready = server->wait_until_ready([&] {
    return Server::run({programs->is_ready, "--quiet", "--dbname=" + url}, {}).has_value();
  });
  if (!ready) return ready.error();
  return std::unique_ptr<PostgresServer>(new PostgresServer(url, std::move(*server)));
}

Result<std::vector<std::string>> PostgresServer::psql() const {
  const auto program = find_program("psql", folders());
  if (!program) return missing();
  return std::vector<std::string>{program->string(), "--no-psqlrc", "--quiet", "--dbname=" + url_};
}

Status PostgresServer::execute(const std::string& statements) const {
  auto command = psql();
  if (!command) return command.error();
  command->insert(command->end(),
                  {"--single-transaction", "--set=ON_ERROR_STOP=1", "--command=" + statements});
  return Server::run(*command, {});
}

}  // namespace mizan::testkit
