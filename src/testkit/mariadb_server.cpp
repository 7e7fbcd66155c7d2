#include "testkit/mariadb_server.hpp"

#include <signal.h>
#include <stdlib.h>

#include <vector>

namespace mizan::testkit {
namespace {

/// Debian's user for the server, which refuses to run as root.
constexpr const char* server_user = "mysql";

/// Where a process tells its children which server it started.
constexpr const char* socket_variable = "MIZAN_TEST_MARIADB";

/// Longer ones are no name of a socket.
constexpr std::size_t socket_size_max = 100;

const std::vector<std::string>& folders() {
  static const std::vector<std::string> places = {"/usr/sbin", "/usr/bin"};
  return places;
}

Error missing() {
  return unavailable("mariadb server",
                     "mariadbd, mariadb-install-db or mariadb is not installed (Debian package "
                     "mariadb-server)");
}

struct Programs {
  std::string install;
  std::string server;
  std::string client;
};

std::optional<Programs> find_programs() {
  Programs programs;
  const std::pair<const char*, std::string*> wanted[] = {{"mariadb-install-db", &programs.install},
                                                         {"mariadbd", &programs.server},
                                                         {"mariadb", &programs.client}};
  for (const auto& [name, place] : wanted) {
    const auto found = find_program(name, folders());
    if (!found) return std::nullopt;
    *place = found->string();
  }
  return programs;
}

/// Small, but as durable as a real one.
ServerCommand server_command(const std::string& program,
                             const std::string& folder,
                             const std::string& socket,
                             const MariadbServer::Options& options) {
  ServerCommand command;
  command.arguments = {program,
                       "--no-defaults",
                       "--datadir=" + folder + "/data",
                       "--socket=" + socket,
                       "--pid-file=" + folder + "/pid",
                       "--tmpdir=" + folder,
                       "--skip-log-bin",
                       "--innodb-flush-log-at-trx-commit=1",
                       "--innodb-buffer-pool-size=64M",
                       "--innodb-log-file-size=32M",
                       "--max-connections=200",
                       "--performance-schema=OFF"};
  const std::vector<std::string> network =
      options.port == 0 ? std::vector<std::string>{"--skip-networking"}
                        : std::vector<std::string>{"--bind-address=127.0.0.1",
                                                   "--port=" + std::to_string(options.port)};
  command.arguments.insert(command.arguments.end(), network.begin(), network.end());
  command.arguments.insert(
      command.arguments.end(), options.settings.begin(), options.settings.end());
  command.user = server_user;
  command.stop_signal = SIGKILL;  // Nobody needs its data any more.
  return command;
}

Status run_client(const std::string& program,
                  const std::string& socket,
                  const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {
      program, "--no-defaults", "--socket=" + socket, "--user=root", "--batch"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Server::run(std::move(command), {});
}

}  // namespace

MariadbServer::MariadbServer(std::string socket, std::optional<Server> server)
    : socket_(std::move(socket)),
      url_("mariadb://mizan@/mizan?socket=" + socket_),
      server_(std::move(server)) {}

Result<MariadbServer*> MariadbServer::shared() {
  static const auto started = [] {
    const std::string inherited = environment_variable(socket_variable);
    if (inherited.empty()) return start();
    return Result<std::unique_ptr<MariadbServer>>(
        std::unique_ptr<MariadbServer>(new MariadbServer(inherited, std::nullopt)));
  }();
  if (!started) return started.error();
  ::setenv(socket_variable, (*started)->socket_.c_str(), 1);
  return started->get();
}

std::optional<std::string> MariadbServer::why_missing() {
  if (find_programs()) return std::nullopt;
  return missing().detail;
}

Result<std::unique_ptr<MariadbServer>> MariadbServer::start(const Options& options) {
  const auto programs = find_programs();
  if (!programs) return missing();
  auto directory = Server::make_directory("mizan-mariadb", server_user);
  if (!directory) return directory.error();
  const std::string folder = (*directory)->path().string();
  const std::string socket = folder + "/socket";
  if (socket.size() > socket_size_max) {
    return unavailable("mariadb server", "the temporary directory's name is too long: " + folder);
  }
  Status made = Server::run({programs->install,
                             "--no-defaults",
                             "--datadir=" + folder + "/data",
                             "--tmpdir=" + folder,
                             "--auth-root-authentication-method=normal",
                             "--skip-name-resolve",
                             "--skip-test-db",
                             "--innodb-log-file-size=32M"},
                            server_user);
  if (!made) return made.error();
  auto server = Server::start(std::move(*directory),
                              server_command(programs->server, folder, socket, options));
  if (!server) return server.error();
  Status ready = server->wait_until_ready(
      [&] { return run_client(programs->client, socket, {"--execute=SELECT 1"}).has_value(); });
  if (!ready) return ready.error();
  Status prepared = run_client(programs->client,
                               socket,
                               {"--execute=CREATE DATABASE mizan; CREATE USER mizan@localhost; "
                                "GRANT ALL ON mizan.* TO mizan@localhost; "
                                "GRANT ALL ON `prove\\_%`.* TO mizan@localhost"});
  if (!prepared) return prepared.error();
  return std::unique_ptr<MariadbServer>(new MariadbServer(socket, std::move(*server)));
}

Status MariadbServer::execute(const std::string& statements) const {
  const auto programs = find_programs();
  if (!programs) return missing();
  return run_client(programs->client, socket_, {"--database=mizan", "--execute=" + statements});
}

}  // namespace mizan::testkit
