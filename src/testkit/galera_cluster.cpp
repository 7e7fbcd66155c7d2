#include "testkit/galera_cluster.hpp"

#include "testkit/eventually.hpp"
#include "testkit/server.hpp"
#include "testkit/temp_dir.hpp"

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <utility>

namespace mizan::testkit {
namespace {

constexpr const char* where = "galera cluster";
constexpr const char* server_user = "mysql";

/// Where a process tells its children which cluster it started.
constexpr const char* variable = "MIZAN_TEST_GALERA";

constexpr std::chrono::seconds patience{60};

/// Longer ones are no name of a socket.
constexpr std::size_t folder_size_max = 80;

constexpr int attempts_max = 3;

/// Its input is a pipe that only this process holds, so it goes on when this process has ended.
constexpr const char* guardian =
    "trap '' INT TERM HUP\n"
    "cat >/dev/null\n"
    "for node in \"$1\"/node*; do kill -9 \"$(cat \"$node/pid\")\" 2>/dev/null; done\n"
    "rm -rf \"$1\" || { sleep 1; rm -rf \"$1\"; }\n";

/// What the server runs on both sides when a node joins. It tells the joiner where the cluster is,
/// by a file, since all are on one machine; what the joiner missed comes from the donor's cache.
constexpr const char* transfer_script =
    "#!/bin/sh\n"
    "bypass=\n"
    "while [ $# -gt 0 ]; do\n"
    "  case $1 in\n"
    "    --role) role=$2; shift ;;\n"
    "    --address) address=$2; shift ;;\n"
    "    --datadir) datadir=$2; shift ;;\n"
    "    --gtid) position=$2; shift ;;\n"
    "    --parent) parent=$2; shift ;;\n"
    "    --bypass) bypass=yes ;;\n"
    "    --mysqld-args) break ;;\n"
    "  esac\n"
    "  shift\n"
    "done\n"
    "if [ \"$role\" = joiner ]; then\n"
    "  file=$datadir/transfer\n"
    "  rm -f \"$file\"\n"
    "  echo \"ready $file\"\n"
    "  until [ -s \"$file\" ]; do kill -0 \"$parent\" || exit 32; sleep 0.05; done\n"
    "  cat \"$file\"\n"
    "else\n"
    "  [ -n \"$bypass\" ] || { echo 'the node is too far behind' >&2; exit 1; }\n"
    "  echo \"$position\" >\"$address.new\" && mv \"$address.new\" \"$address\" || exit 1\n"
    "  echo \"done $position\"\n"
    "fi\n";

Status write_script(const std::filesystem::path& folder) {
  std::error_code failed;
  const std::filesystem::path script = folder / "bin" / "wsrep_sst_mizan";
  std::filesystem::create_directory(folder / "bin", failed);
  std::ofstream file(script);
  file << transfer_script;
  file.close();
  using Permissions = std::filesystem::perms;
  constexpr auto everybody = Permissions::others_read | Permissions::others_exec;
  std::filesystem::permissions(script, Permissions::owner_all | everybody, failed);
  if (file && !failed) return {};
  return internal_error(where, "the script of a joining node cannot be written");
}

Result<GaleraPlace> make_place(const std::filesystem::path& folder, std::size_t index) {
  GaleraPlace place;
  place.folder = folder / ("node" + std::to_string(index));
  for (std::uint16_t* port : {&place.port, &place.group, &place.transfer}) {
    const auto found = free_port();
    if (!found) return found.error();
    *port = *found;
  }
  Status made = Server::run({"/bin/mkdir", place.folder.string()}, server_user);
  if (!made) return made.error();
  return place;
}

/// A node that was frozen believes for a moment that nothing has changed; one that answers after it
/// has waited for the others knows better.
bool sees_all(const GaleraNode& node) {
  const auto answer =
      node.ask("SET SESSION wsrep_sync_wait = 1; SHOW GLOBAL STATUS LIKE 'wsrep_cluster_size'");
  return answer && *answer == "wsrep_cluster_size\t" + std::to_string(GaleraCluster::size) &&
         node.is_synced();
}

}  // namespace

GaleraCluster::GaleraCluster(std::filesystem::path folder, std::vector<GaleraNode> nodes)
    : folder_(std::move(folder)), nodes_(std::move(nodes)) {}

std::optional<std::string> GaleraCluster::why_missing() {
  if (GaleraPrograms::find()) return std::nullopt;
  return "mariadbd, mariadb-install-db, mariadb or libgalera_smm.so is not installed (Debian "
         "packages mariadb-server and galera-4)";
}

Result<GaleraCluster*> GaleraCluster::shared() {
  static const auto started = [] {
    const std::string inherited = environment_variable(variable);
    if (inherited.empty()) return start();
    return Result<std::unique_ptr<GaleraCluster>>(inherit(inherited));
  }();
  if (!started) return started.error();
  ::setenv(variable, (*started)->describe().c_str(), 1);
  return started->get();
}

std::string GaleraCluster::describe() const {
  std::string text = folder_.string();
  for (const GaleraNode& node : nodes_) text += ' ' + std::to_string(node.place().port);
  return text;
}

std::unique_ptr<GaleraCluster> GaleraCluster::inherit(const std::string& description) {
  std::istringstream words(description);
  std::string folder;
  words >> folder;
  std::vector<GaleraNode> nodes;
  for (std::size_t i = 0; i < size; ++i) {
    GaleraPlace place;
    words >> place.port;
    place.folder = std::filesystem::path(folder) / ("node" + std::to_string(i));
    nodes.emplace_back(std::move(place), "");
  }
  return std::unique_ptr<GaleraCluster>(new GaleraCluster(folder, std::move(nodes)));
}

Result<std::unique_ptr<GaleraCluster>> GaleraCluster::start() {
  if (const auto missing = why_missing()) return unavailable(where, *missing);
  Result<std::unique_ptr<GaleraCluster>> cluster = unavailable(where, "not tried");
  for (int attempt = 0; attempt < attempts_max && !cluster; ++attempt) {
    cluster = try_start();  // Somebody may take a port before we do.
  }
  return cluster;
}

Result<std::unique_ptr<GaleraCluster>> GaleraCluster::try_start() {
  auto directory = Server::make_directory("mizan-galera", server_user);
  if (!directory) return directory.error();
  const std::filesystem::path folder = (*directory)->path();
  if (folder.string().size() > folder_size_max) {
    return unavailable(where, "the temporary directory's name is too long: " + folder.string());
  }
  if (Status written = write_script(folder); !written) return written.error();
  std::vector<GaleraPlace> places;
  std::string group = "gcomm://";
  for (std::size_t i = 0; i < size; ++i) {
    auto place = make_place(folder, i);
    if (!place) return place.error();
    group += (i == 0 ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(place->group);
    places.push_back(std::move(*place));
  }
  std::vector<GaleraNode> nodes;
  nodes.reserve(places.size());
  for (GaleraPlace& place : places) nodes.emplace_back(std::move(place), group);
  std::unique_ptr<GaleraCluster> cluster(new GaleraCluster(folder, std::move(nodes)));
  if (Status guarded = cluster->guard(); !guarded) return guarded.error();
  (*directory)->keep();  // From now on the guardian removes it.
  if (Status prepared = cluster->prepare(); !prepared) return prepared.error();
  return cluster;
}

Status GaleraCluster::guard() {
  auto process = ChildProcess::start({"/bin/sh", "-c", guardian, "guardian", folder_.string()});
  if (!process) return process.error();
  guardian_.emplace(std::move(*process));
  return {};
}

Status GaleraCluster::prepare() {
  GaleraNode& first = nodes_[0];
  if (Status made = first.install(); !made) return made;
  if (Status up = first.start(GaleraNode::Start::bootstraps); !up) return up;
  auto made = first.ask(
      "USE mysql; CREATE DATABASE mizan; CREATE USER mizan@'%'; GRANT ALL ON mizan.* TO mizan@'%'; "
      "GRANT ALL ON `prove\\_%`.* TO mizan@'%'");
  if (!made) return made.error();
  if (Status down = first.stop(); !down) return down;
  for (std::size_t i = 1; i < size; ++i) {
    if (Status copied = nodes_[i].copy_from(first); !copied) return copied;
  }
  // One after the other is faster: two that join at once wait for each other, by whole seconds.
  for (std::size_t i = 0; i < size; ++i) {
    const auto how = i == 0 ? GaleraNode::Start::bootstraps : GaleraNode::Start::joins;
    if (Status up = nodes_[i].start(how); !up) return up;
  }
  return {};
}

GaleraCluster::~GaleraCluster() {
  for (GaleraNode& node : nodes_) node.kill();
  if (!guardian_) return;
  guardian_->close_input();
  static_cast<void>(guardian_->wait(system_clock().now() + patience));
}

std::string GaleraCluster::url(std::size_t node) const {
  return "mariadb://mizan@127.0.0.1:" + std::to_string(nodes_[node].place().port) + "/mizan";
}

std::string GaleraCluster::url_of_all(std::size_t first) const {
  std::string text = "mariadb://mizan@";
  for (std::size_t i = 0; i < size; ++i) {
    const GaleraPlace& place = nodes_[(first + i) % size].place();
    text += (i == 0 ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(place.port);
  }
  return text + "/mizan";
}

Status GaleraCluster::execute(std::size_t node, const std::string& statements) {
  auto answer = nodes_[node].ask("USE mizan; " + statements);
  if (!answer) return answer.error();
  return {};
}

Status GaleraCluster::set_provider_options(std::size_t node, const std::string& options) {
  return execute(node, "SET GLOBAL wsrep_provider_options = '" + options + "'");
}

Status GaleraCluster::start_furthest() {
  std::size_t furthest = 0;
  std::int64_t newest = -1;
  for (std::size_t i = 0; i < size; ++i) {
    const auto position = nodes_[i].recover();
    if (!position) return position.error();
    if (*position > newest) furthest = i;
    newest = std::max(newest, *position);
  }
  return nodes_[furthest].start(GaleraNode::Start::bootstraps);
}

Status GaleraCluster::heal() {
  bool any_is_running = false;
  for (GaleraNode& node : nodes_) {
    node.thaw();
    any_is_running = any_is_running || node.is_running();
  }
  if (!any_is_running) {
    if (Status up = start_furthest(); !up) return up;
  }
  for (GaleraNode& node : nodes_) {
    if (node.is_running()) continue;
    if (auto position = node.recover(); !position) return position.error();
    if (Status up = node.start(GaleraNode::Start::joins); !up) return up;
  }
  const bool is_whole =
      eventually([this] { return std::all_of(nodes_.begin(), nodes_.end(), sees_all); }, patience);
  if (is_whole) return {};
  return unavailable(where, "not every node came back");
}

}  // namespace mizan::testkit
