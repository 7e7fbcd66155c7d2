#include "testkit/redis_server.hpp"

#include "testkit/eventually.hpp"
#include "testkit/redis_wire.hpp"
#include "testkit/server.hpp"
#include "testkit/temp_dir.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::testkit {
namespace {

constexpr const char* where = "test redis";
constexpr std::chrono::seconds start_patience{30};
constexpr std::chrono::seconds answer_patience{20};
constexpr int port_attempts = 5;
/// Its input is a pipe that only this process holds, so it goes on when this process has ended.
constexpr const char* guardian_script =
    "trap '' INT TERM HUP\n"
    "cat >/dev/null\n"
    "kill -9 \"$(cat \"$1/pid\")\" 2>/dev/null\n"
    // A child of the server's that rewrites a file may outlive it by a moment.
    "rm -rf \"$1\" || { sleep 1; rm -rf \"$1\"; }\n";
constexpr std::size_t cluster_nodes = 3;
constexpr std::size_t slot_count = 16'384;

Deadline in(std::chrono::nanoseconds time) {
  return system_clock().now() + time;
}

/// A number of `INFO replication`, by its name with the colon; -1 where there is none.
std::int64_t replication_count(const RedisServer& server, std::string_view name) {
  const auto info = server.ask({"INFO", "replication"});
  if (!info) return -1;
  const std::size_t found = info->find(name);
  if (found == std::string::npos) return -1;
  std::int64_t count = -1;
  const char* digits = info->data() + found + name.size();
  std::from_chars(digits, info->data() + info->size(), count);
  return count;
}

bool knows_whole_cluster(const std::unique_ptr<RedisServer>& node) {
  const auto info = node->ask({"CLUSTER", "INFO"});
  return info && info->find("cluster_state:ok") != std::string::npos &&
         info->find("cluster_slots_ok:16384") != std::string::npos &&
         info->find("cluster_known_nodes:3") != std::string::npos;
}

}  // namespace

Result<std::unique_ptr<RedisServer>> RedisServer::start(RedisServerOptions options) {
  const auto program = find_program(options.sentinel ? "redis-sentinel" : "redis-server");
  if (!program) return unavailable(where, *why_missing());
  std::unique_ptr<RedisServer> server(new RedisServer(std::move(options), program->string()));
  if (Status made = server->make_directory(); !made) return std::move(made).error();
  Status started = internal_error(where, "not tried");
  for (int attempt = 0; attempt < port_attempts && !started; ++attempt) {
    // Somebody may take the port before we do.
    const auto port = free_port();
    if (!port) return port.error();
    started = server->start_on(*port);
  }
  if (!started) return std::move(started).error();
  return server;
}

std::optional<std::string> RedisServer::why_missing() {
  if (!find_program("redis-server")) {
    return "redis-server is not installed (Debian package redis-server)";
  }
  if (!find_program("redis-sentinel")) {
    return "redis-sentinel is not installed (Debian package redis-sentinel)";
  }
  return std::nullopt;
}

RedisServer::~RedisServer() {
  kill();
  if (!guardian_) return;
  guardian_->close_input();
  static_cast<void>(guardian_->wait(in(answer_patience)));
}

Status RedisServer::make_directory() {
  const auto directory = TempDir::make("mizan-redis");
  if (!directory) return internal_error(where, "no temporary directory can be made");
  directory_ = directory->path();
  auto guardian = ChildProcess::start({"/bin/sh", "-c", guardian_script, "guardian", directory_});
  if (!guardian) return std::move(guardian).error();
  guardian_.emplace(std::move(*guardian));
  directory->keep();  // From now on the guardian removes it.
  return {};
}

Status RedisServer::write_configuration() const {
  std::ofstream file(directory_ / "redis.conf");
  file << "port " << port_ << "\nbind 127.0.0.1\ndaemonize no\nsave \"\"\n"
       << "pidfile " << (directory_ / "pid").string() << "\ndir " << directory_.string()
       << "\nlogfile " << (directory_ / "log").string() << "\n";
  if (!options_.sentinel) {
    file << "enable-debug-command local\n"
         << (options_.append_only ? "appendonly yes\nappendfsync always\n" : "appendonly no\n");
  }
  for (const auto& [name, value] : options_.settings) file << name << " " << value << "\n";
  file.close();
  if (!file) return internal_error(where, "cannot write the configuration file");
  return {};
}

Status RedisServer::start_on(std::uint16_t port) {
  port_ = port;
  if (Status written = write_configuration(); !written) return written;
  return start_again();
}

Status RedisServer::start_again() {
  process_.reset();
  auto process = ChildProcess::start({program_, (directory_ / "redis.conf").string()});
  if (!process) return std::move(process).error();
  process_.emplace(std::move(*process));
  return await_answer();
}

bool RedisServer::has_ended() {
  return !process_ || process_->wait(system_clock().now()).has_value();
}

std::string RedisServer::password() const {
  for (const auto& [name, value] : options_.settings) {
    if (name == "requirepass") return value;
  }
  return {};
}

Status RedisServer::await_answer() {
  const bool answers =
      eventually([this] { return has_ended() || ask({"PING"}).has_value(); }, start_patience);
  if (!answers) return unavailable(where, "redis-server does not answer");
  if (has_ended()) return unavailable(where, "redis-server ended at once");
  return {};
}

void RedisServer::kill() {
  if (!process_) return;
  process_->kill();
  static_cast<void>(process_->wait(in(answer_patience)));
  process_.reset();
}

void RedisServer::freeze() noexcept {
  if (process_) process_->stop();
}

void RedisServer::thaw() noexcept {
  if (process_) process_->resume();
}

Result<std::string> RedisServer::ask(const std::vector<std::string>& words) const {
  auto wire = RedisWire::connect(port_, in(answer_patience));
  if (!wire) return std::move(wire).error();
  if (const std::string secret = password(); !secret.empty()) {
    auto admitted = wire->ask({"AUTH", secret}, in(answer_patience));
    if (!admitted) return admitted;
  }
  return wire->ask(words, in(answer_patience));
}

Result<std::unique_ptr<RedisSentinelGroup>> RedisSentinelGroup::start(
    std::chrono::milliseconds down_after) {
  std::unique_ptr<RedisSentinelGroup> group(new RedisSentinelGroup());
  auto first = RedisServer::start({.settings = {{"repl-diskless-sync-delay", "0"}}});
  if (!first) return std::move(first).error();
  group->first_ = std::move(*first);
  const std::string port = std::to_string(group->first_->port());
  auto second = RedisServer::start(
      {.settings = {{"replicaof", "127.0.0.1 " + port}, {"repl-diskless-sync-delay", "0"}}});
  if (!second) return std::move(second).error();
  group->second_ = std::move(*second);
  auto sentinel =
      RedisServer::start({.settings = {{"sentinel monitor", "mizan 127.0.0.1 " + port + " 1"},
                                       {"sentinel down-after-milliseconds",
                                        "mizan " + std::to_string(down_after.count())},
                                       {"sentinel failover-timeout", "mizan 20000"}},
                          .sentinel = true});
  if (!sentinel) return std::move(sentinel).error();
  group->sentinel_ = std::move(*sentinel);
  return group;
}

Result<int> RedisSentinelGroup::master_port() const {
  auto address = sentinel_->ask({"SENTINEL", "get-master-addr-by-name", "mizan"});
  if (!address) return std::move(address).error();
  const std::size_t line_end = address->find('\n');
  if (line_end == std::string::npos) return unavailable(where, "the Sentinel knows no master");
  return std::stoi(address->substr(line_end + 1));
}

Status RedisSentinelGroup::await_replica() const {
  const std::string online = "state=online";
  const bool known = eventually([this, &online] {
    const auto replicas = sentinel_->ask({"SENTINEL", "replicas", "mizan"});
    const auto info = first_->ask({"INFO", "replication"});
    return replicas && info && replicas->find("master-link-status\nok") != std::string::npos &&
           info->find(online) != std::string::npos;
  });
  if (!known) return unavailable(where, "the Sentinel does not find the replica");
  return await_copy();
}

Status RedisSentinelGroup::await_copy() const {
  // A replica is called online when it has the snapshot, up to a second before the master streams
  // to it what was written since. A message is part of that stream, and leaves no key behind.
  if (auto sent = first_->ask({"PUBLISH", "mizan:copy", "x"}); !sent)
    return std::move(sent).error();
  const std::int64_t wanted = replication_count(*first_, "master_repl_offset:");
  const bool copied = wanted > 0 && eventually([this, wanted] {
                        return replication_count(*second_, "slave_repl_offset:") >= wanted;
                      });
  if (!copied) return unavailable(where, "the replica does not get what the master has");
  return {};
}

Result<std::unique_ptr<RedisCluster>> RedisCluster::start() {
  std::unique_ptr<RedisCluster> cluster(new RedisCluster());
  std::vector<std::string> buses;
  while (cluster->nodes_.size() < cluster_nodes) {
    const auto bus = free_port();
    if (!bus) return bus.error();
    buses.push_back(std::to_string(*bus));
    auto node = RedisServer::start({.settings = {{"cluster-enabled", "yes"},
                                                 {"cluster-node-timeout", "5000"},
                                                 {"cluster-port", buses.back()}}});
    if (!node) return std::move(node).error();
    cluster->nodes_.push_back(std::move(*node));
  }
  for (std::size_t index = 0; index < cluster_nodes; ++index) {
    const RedisServer& node = *cluster->nodes_[index];
    const std::string begin = std::to_string(slot_count * index / cluster_nodes);
    const std::string end = std::to_string(slot_count * (index + 1) / cluster_nodes - 1);
    auto done = node.ask({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(index + 1)});
    if (done) done = node.ask({"CLUSTER", "ADDSLOTSRANGE", begin, end});
    if (done && index > 0) {
      done = cluster->nodes_.front()->ask(
          {"CLUSTER", "MEET", "127.0.0.1", std::to_string(node.port()), buses[index]});
    }
    if (!done) return std::move(done).error();
  }
  if (Status whole = cluster->await_whole(); !whole) return std::move(whole).error();
  return cluster;
}

Status RedisCluster::await_whole() const {
  const bool whole =
      eventually([this] { return std::all_of(nodes_.begin(), nodes_.end(), knows_whole_cluster); });
  if (!whole) return unavailable(where, "the cluster does not come together");
  return {};
}

}  // namespace mizan::testkit
