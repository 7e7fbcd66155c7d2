#include "testkit/galera_node.hpp"

#include "testkit/eventually.hpp"
#include "testkit/server.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>

namespace mizan::testkit {
namespace {

constexpr const char* where = "galera node";

/// Debian's user for the server, which refuses to run as root.
constexpr const char* server_user = "mysql";

constexpr std::chrono::seconds patience{60};
constexpr std::size_t log_bytes_shown = 3'000;

/// Leaves its number where the guardian finds it, from the first moment on.
constexpr const char* launcher =
    "folder=$1; log=$2; shift 2\n"
    "echo $$ >\"$folder/pid\"\n"
    "exec \"$@\" >\"$folder/$log\" 2>&1 </dev/null\n";

/// A node notices within a second or two that another one is gone. Nothing is remembered of who
/// took part, so that whoever comes back asks the others.
constexpr const char* quick =
    ";gcache.size=32M;pc.recovery=no;pc.announce_timeout=PT1S;gmcast.peer_timeout=PT1S"
    ";evs.inactive_check_period=PT0.1S;evs.keepalive_period=PT0.2S;evs.join_retrans_period=PT0.2S"
    ";evs.suspect_timeout=PT1S;evs.inactive_timeout=PT2S;evs.install_timeout=PT2S";

Deadline in(std::chrono::nanoseconds time) {
  return system_clock().now() + time;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The text behind the last occurrence of a word, up to the end of its line.
std::string last_after(const std::string& text, std::string_view word) {
  const std::size_t at = text.rfind(word);
  if (at == std::string::npos) return {};
  const std::size_t begin = std::min(text.find_first_not_of(' ', at + word.size()), text.size());
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

Result<std::string> read_all(ChildProcess& child) {
  child.close_input();
  const Deadline deadline = in(patience);
  std::string output;
  for (;;) {
    auto line = child.read_line(deadline);
    if (!line) return line.error();
    if (!*line) break;
    if (!output.empty()) output += '\n';
    output += **line;
  }
  auto end = child.wait(deadline);
  if (!end) return end.error();
  if (end->status == 0) return output;
  return unavailable(where, "a statement failed: " + output);
}

}  // namespace

std::optional<GaleraPrograms> GaleraPrograms::find() {
  GaleraPrograms programs;
  const std::vector<std::string> folders = {"/usr/sbin", "/usr/bin"};
  const std::pair<const char*, std::string*> wanted[] = {{"mariadb-install-db", &programs.install},
                                                         {"mariadbd", &programs.server},
                                                         {"mariadb", &programs.client}};
  for (const auto& [name, place] : wanted) {
    const auto found = find_program(name, folders);
    if (!found) return std::nullopt;
    *place = found->string();
  }
  for (const char* folder : {"/usr/lib/galera", "/usr/lib64/galera-4", "/usr/lib64/galera"}) {
    const auto library = std::filesystem::path(folder) / "libgalera_smm.so";
    std::error_code missing;
    if (!std::filesystem::exists(library, missing)) continue;
    programs.provider = library.string();
    return programs;
  }
  return std::nullopt;
}

std::vector<std::string> GaleraNode::arguments() const {
  const auto programs = GaleraPrograms::find();
  const std::string folder = place_.folder.string();
  const std::string group = std::to_string(place_.group);
  return {programs->server,
          "--no-defaults",
          "--datadir=" + folder + "/data",
          "--socket=" + place_.socket(),
          "--bind-address=127.0.0.1",
          "--port=" + std::to_string(place_.port),
          "--skip-name-resolve",
          "--skip-log-bin",
          "--binlog-format=ROW",
          "--innodb-autoinc-lock-mode=2",
          "--innodb-flush-log-at-trx-commit=1",
          "--innodb-buffer-pool-size=24M",
          "--innodb-log-file-size=16M",
          "--max-connections=200",
          "--performance-schema=OFF",
          "--wsrep-on=ON",
          "--wsrep-provider=" + programs->provider,
          "--wsrep-cluster-name=mizan",
          "--wsrep-cluster-address=" + group_,
          "--wsrep-node-address=127.0.0.1",
          "--wsrep-node-name=" + place_.folder.filename().string(),
          "--wsrep-sst-method=mizan",
          "--wsrep-slave-threads=2",
          "--wsrep-provider-options=base_host=127.0.0.1;base_port=" + group +
              ";gmcast.listen_addr=tcp://127.0.0.1:" + group +
              ";ist.recv_addr=127.0.0.1:" + std::to_string(place_.transfer) + quick};
}

Status GaleraNode::install() const {
  const auto programs = GaleraPrograms::find();
  return Server::run({programs->install,
                      "--no-defaults",
                      "--datadir=" + (place_.folder / "data").string(),
                      "--auth-root-authentication-method=normal",
                      "--skip-name-resolve",
                      "--skip-test-db",
                      "--innodb-log-file-size=16M"},
                     server_user);
}

Status GaleraNode::copy_from(const GaleraNode& other) const {
  // Its cache of write sets is its own, and so large that copying it takes longer than the rest.
  std::error_code missing;
  std::filesystem::remove(other.place_.folder / "data" / "galera.cache", missing);
  return Server::run(
      {"/bin/cp", "-a", (other.place_.folder / "data").string(), (place_.folder / "data").string()},
      server_user);
}

Status GaleraNode::launch(const std::vector<std::string>& further, const std::string& log) {
  std::vector<std::string> program = arguments();
  program.insert(program.end(), further.begin(), further.end());
  auto words = Server::as_user(std::move(program), server_user);
  if (!words) return words.error();
  words->insert(words->begin(), {"/bin/sh", "-c", launcher, "node", place_.folder.string(), log});
  const std::string path = (place_.folder.parent_path() / "bin").string() + ":" +
                           environment_variable("PATH") + ":/usr/sbin:/sbin";
  auto process = ChildProcess::start(*words, {{"PATH", path}});
  if (!process) return process.error();
  process_.emplace(std::move(*process));
  return {};
}

std::string GaleraNode::log(const std::string& name) const {
  std::string text = read_file(place_.folder / name);
  if (text.size() > log_bytes_shown) text.erase(0, text.size() - log_bytes_shown);
  return text;
}

Result<std::int64_t> GaleraNode::recover() {
  if (Status launched = launch({"--wsrep-recover"}, "recovery"); !launched) return launched.error();
  const auto end = process_->wait(in(patience));
  process_.reset();
  if (!end) return end.error();
  position_ = last_after(read_file(place_.folder / "recovery"), "Recovered position:");
  const std::string number = position_.substr(position_.rfind(':') + 1);
  std::int64_t newest = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), newest);
  if (read.ec != std::errc{}) {
    return unavailable(where, "no position was recovered: " + log("recovery"));
  }
  return newest;
}

/// The last one to go is allowed to be the first to come; after a crash nobody knows who that was.
Status GaleraNode::permit_bootstrap() const {
  const std::filesystem::path path = place_.folder / "data" / "grastate.dat";
  std::string text = read_file(path);
  const std::string forbidden = "safe_to_bootstrap: 0";
  const std::size_t at = text.find(forbidden);
  if (at == std::string::npos) return {};
  text.replace(at, forbidden.size(), "safe_to_bootstrap: 1");
  std::ofstream file(path);
  file << text;
  file.close();
  if (file) return {};
  return internal_error(where, "grastate.dat cannot be written");
}

Status GaleraNode::start(Start how) {
  std::vector<std::string> further;
  if (!position_.empty()) further.push_back("--wsrep-start-position=" + position_);
  if (how == Start::bootstraps) {
    further.emplace_back("--wsrep-new-cluster");
    if (Status permitted = permit_bootstrap(); !permitted) return permitted;
  }
  position_.clear();
  if (Status launched = launch(further, "log"); !launched) return launched;
  const bool came = eventually([this] { return !is_running() || is_synced(); }, patience);
  if (came && is_running()) return {};
  return unavailable(where, "it does not come up; its log ends with: " + log("log"));
}

Status GaleraNode::stop() {
  if (!process_) return {};
  process_->terminate();
  auto end = process_->wait(in(patience));
  process_.reset();
  if (!end) return end.error();
  return {};
}

void GaleraNode::kill() {
  if (!process_) return;
  process_->kill();
  static_cast<void>(process_->wait(in(patience)));
  process_.reset();
}

void GaleraNode::freeze() noexcept {
  if (process_) process_->stop();
}

void GaleraNode::thaw() noexcept {
  if (process_) process_->resume();
}

bool GaleraNode::is_running() {
  return process_ && !process_->wait(system_clock().now()).has_value();
}

bool GaleraNode::is_synced() const {
  const auto answer =
      ask("SHOW GLOBAL STATUS WHERE variable_name IN "
          "('wsrep_cluster_status', 'wsrep_local_state_comment', 'wsrep_ready')");
  if (!answer) return false;
  return *answer ==
         "wsrep_local_state_comment\tSynced\nwsrep_cluster_status\tPrimary\nwsrep_ready\tON";
}

Result<std::string> GaleraNode::ask(const std::string& statements) const {
  const auto programs = GaleraPrograms::find();
  auto child = ChildProcess::start({"/bin/sh",
                                    "-c",
                                    "exec \"$@\" 2>&1",
                                    "ask",
                                    programs->client,
                                    "--no-defaults",
                                    "--socket=" + place_.socket(),
                                    "--user=root",
                                    "--batch",
                                    "--skip-column-names",
                                    "--connect-timeout=5",
                                    "--execute=" + statements});
  if (!child) return child.error();
  return read_all(*child);
}

}  // namespace mizan::testkit
