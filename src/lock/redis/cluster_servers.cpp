#include "base/mutex.hpp"
#include "lock/redis/cluster_map.hpp"
#include "lock/redis/pool.hpp"
#include "lock/redis/servers.hpp"

#include <array>
#include <map>
#include <utility>

namespace mizan::redis {
namespace {

constexpr int hops_max = 5;
constexpr const char* where = "redis: cluster";

/// The masters of a cluster. A redirection says that the command was not carried out, so it is
/// followed; anything else is the caller's.
class ClusterServers final : public Servers {
 public:
  ClusterServers(RedisOptions options, std::shared_ptr<const TlsContext> tls)
      : options_(std::move(options)), tls_(std::move(tls)) {}

  Result<Reply> ask(std::uint16_t slot, Words words, Deadline deadline) override;

  Result<std::unique_ptr<Connection>> open_listener() override {
    // What is published on one node is heard on all.
    auto known = masters();
    if (!known) return std::move(known).error();
    Error last = unavailable(where, "no master is known");
    for (const RedisAddress& address : *known) {
      auto connection = open(address);
      if (connection) return connection;
      last = std::move(connection).error();
    }
    return last;
  }

  Result<std::vector<RedisAddress>> masters() override {
    if (Status loaded = load_map(Deadline::max()); !loaded) return std::move(loaded).error();
    const MutexLock lock(mutex_);
    return map_.masters();
  }

  Result<std::unique_ptr<Connection>> open(const RedisAddress& address) override {
    return open_until(address, system_clock().now() + options_.connect_timeout);
  }

 private:
  [[nodiscard]] Result<std::unique_ptr<Connection>> open_until(const RedisAddress& address,
                                                               Deadline deadline) const {
    return Connection::open(address, {options_.user, options_.password, 0, tls_}, deadline);
  }

  [[nodiscard]] Result<RedisAddress> locate(std::uint16_t slot, Deadline deadline);
  [[nodiscard]] Pool& pool(const RedisAddress& address);
  [[nodiscard]] Status load_map(Deadline deadline);
  [[nodiscard]] std::vector<RedisAddress> known_nodes();

  const RedisOptions options_;
  const std::shared_ptr<const TlsContext> tls_;
  Mutex mutex_;
  ClusterMap map_ MIZAN_GUARDED_BY(mutex_);
  bool map_is_fresh_ MIZAN_GUARDED_BY(mutex_) = false;
  std::map<std::string, std::unique_ptr<Pool>> pools_ MIZAN_GUARDED_BY(mutex_);  // Never erased.
};

Pool& ClusterServers::pool(const RedisAddress& address) {
  const MutexLock lock(mutex_);
  std::unique_ptr<Pool>& pool = pools_[to_text(address)];
  if (!pool) {
    pool = std::make_unique<Pool>(
        [this, address](Deadline deadline) { return open_until(address, deadline); },
        Timeouts{options_.connect_timeout, options_.command_timeout},
        options_.idle_connections_max);
  }
  return *pool;
}

std::vector<RedisAddress> ClusterServers::known_nodes() {
  const MutexLock lock(mutex_);
  std::vector<RedisAddress> nodes = map_.masters();
  nodes.insert(nodes.end(), options_.addresses.begin(), options_.addresses.end());
  return nodes;
}

Status ClusterServers::load_map(Deadline deadline) {
  {
    const MutexLock lock(mutex_);
    if (map_is_fresh_) return {};
  }
  const std::array<std::string_view, 2> words{"CLUSTER", "SLOTS"};
  Error last = unavailable(where, "no node is known");
  for (const RedisAddress& node : known_nodes()) {
    auto reply = pool(node).ask(std::array<Words, 1>{words}, deadline);
    if (!reply) {
      last = without_doubt(std::move(reply).error());
      continue;
    }
    ClusterMap map = ClusterMap::read(*reply, node);
    if (map.is_empty()) {
      last = reply->is_error() ? to_error("CLUSTER SLOTS", *reply)
                               : unavailable(where, to_text(node) + " knows of no slots");
      continue;
    }
    const MutexLock lock(mutex_);
    map_ = std::move(map);
    map_is_fresh_ = true;
    return {};
  }
  return last;
}

Result<RedisAddress> ClusterServers::locate(std::uint16_t slot, Deadline deadline) {
  if (Status loaded = load_map(deadline); !loaded) return std::move(loaded).error();
  const MutexLock lock(mutex_);
  auto address = map_.find(slot);
  if (address) return *std::move(address);
  map_is_fresh_ = false;
  return unavailable(where, "no node keeps slot " + std::to_string(slot));
}

Result<Reply> ClusterServers::ask(std::uint16_t slot, Words words, Deadline deadline) {
  static constexpr std::array<std::string_view, 1> asking{"ASKING"};
  auto address = locate(slot, deadline);
  bool with_asking = false;
  for (int hop = 0; hop < hops_max && address; ++hop) {
    Pool& server = pool(*address);
    auto reply = with_asking ? server.ask(std::array<Words, 2>{asking, words}, deadline)
                             : server.ask(std::array<Words, 1>{words}, deadline);
    const MutexLock lock(mutex_);
    // Whoever does not answer, or for another slot, may have been replaced.
    if (!reply) map_is_fresh_ = false;
    if (!reply) return reply;
    const auto elsewhere = read_redirection(*reply, *address);
    if (!elsewhere) return reply;
    with_asking = !elsewhere->for_good;
    if (elsewhere->for_good) {
      map_is_fresh_ = false;
      map_.move(slot, elsewhere->address);
    }
    address = elsewhere->address;
  }
  if (!address) return std::move(address).error();
  return unavailable(where, "the nodes send each other in circles");
}

}  // namespace

std::unique_ptr<Servers> make_cluster_servers(RedisOptions options,
                                              std::shared_ptr<const TlsContext> tls) {
  return std::make_unique<ClusterServers>(std::move(options), std::move(tls));
}

}  // namespace mizan::redis
