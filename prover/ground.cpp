#include "prover/ground.hpp"

#include "prover/place.hpp"
#include "prover/servers/engine.hpp"
#include "testkit/galera_cluster.hpp"
#include "testkit/mariadb_server.hpp"
#include "testkit/postgres_server.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace mizan::prover {

namespace {

template <class Server>
class LabServer final : public Lab {
 public:
  explicit LabServer(std::unique_ptr<Server> server) : server_(std::move(server)) {}

 private:
  std::unique_ptr<Server> server_;
};

/// A store that is to be: its name and the URLs by which it is reached, or why there is none.
struct Wanted {
  std::string name;
  std::vector<std::string> urls;
  std::string missing;
};

template <class Server>
Result<Wanted> start_lab(std::string name, Ground& ground) {
  Wanted wanted{std::move(name), {}, {}};
  if (const auto missing = Server::why_missing()) {
    wanted.missing = *missing;
    return wanted;
  }
  auto server = Server::start();
  if (!server) return std::move(server).error();
  wanted.urls.push_back((*server)->url());
  ground.labs.push_back(std::make_unique<LabServer<Server>>(std::move(*server)));
  return wanted;
}

/// One database behind three nodes.
Result<Wanted> start_cluster(const std::string& name, Ground& ground) {
  Wanted wanted{name, {}, {}};
  if (const auto missing = testkit::GaleraCluster::why_missing()) {
    wanted.missing = *missing;
    return wanted;
  }
  auto cluster = testkit::GaleraCluster::start();
  if (!cluster) return std::move(cluster).error();
  for (std::size_t node = 0; node < testkit::GaleraCluster::size; ++node) {
    wanted.urls.push_back((*cluster)->url(node));
  }
  ground.labs.push_back(std::make_unique<LabServer<testkit::GaleraCluster>>(std::move(*cluster)));
  return wanted;
}

Result<Wanted> start_engine(const std::string& engine, Ground& ground) {
  if (engine == "galera") return start_cluster(engine, ground);
  if (engine == "postgres") return start_lab<testkit::PostgresServer>(engine, ground);
  if (engine == "mariadb") return start_lab<testkit::MariadbServer>(engine, ground);
  return Wanted{engine, {"sqlite:"}, {}};
}

Result<std::vector<Wanted>> start_labs(const ProveOptions& options, Ground& ground) {
  const std::vector<std::string> all{"sqlite", "postgres", "mariadb", "galera"};
  std::vector<Wanted> wanted;
  for (const std::string& engine : options.engines.empty() ? all : options.engines) {
    auto started = start_engine(engine, ground);
    if (!started) return std::move(started).error();
    if (!started->missing.empty() && !options.engines.empty()) {
      return unavailable("mizan prove", started->missing);
    }
    wanted.push_back(*std::move(started));
  }
  return wanted;
}

/// A name of its own for each, also where two of one engine are named.
std::string name_of(Engine engine, const std::vector<Wanted>& before) {
  const std::string base(to_string(engine));
  const auto taken = [&before](const std::string& name) {
    return std::any_of(
        before.begin(), before.end(), [&name](const Wanted& each) { return each.name == name; });
  };
  std::string name = base;
  for (int number = 2; taken(name); ++number) name = base + "-" + std::to_string(number);
  return name;
}

Result<std::vector<Wanted>> wanted_stores(const ProveOptions& options, Ground& ground) {
  if (options.lab) return start_labs(options, ground);
  std::vector<std::string> urls = options.stores;
  if (urls.empty()) urls.emplace_back("sqlite:");
  std::vector<Wanted> wanted;
  for (const std::string& url : urls) {
    const auto engine = engine_of(url);
    if (!engine) return engine.error();
    if (*engine == Engine::sqlite && url != "sqlite:") {
      return invalid_request("mizan prove",
                             "sqlite: takes no file here: the prover makes files of its own");
    }
    wanted.push_back({name_of(*engine, wanted), {url}, {}});
  }
  return wanted;
}

Result<StoreUnderTest> open_store_under_test(const Wanted& wanted,
                                             const Ground& ground,
                                             bool keep) {
  static std::size_t numbers = 0;
  StoreUnderTest store;
  store.target.name = wanted.name;
  store.skipped = wanted.missing;
  if (!store.skipped.empty()) return store;
  store.target.directory = ground.place->path() / wanted.name;
  std::error_code failed;
  std::filesystem::create_directory(store.target.directory, failed);
  store.target.engine = *engine_of(wanted.urls.front());
  StorePlace place;
  place.file = store.target.directory / "describe.db";
  if (store.target.engine != Engine::sqlite) {
    for (const std::string& url : wanted.urls) {
      store.target.nodes.push_back(++numbers);
      set_server_url(numbers, url);
    }
    const std::size_t first = store.target.nodes.front();
    auto rooms = ServerGround::open({wanted.urls.front(), first, keep});
    if (!rooms) return std::move(rooms).error();
    store.rooms = std::move(*rooms);
    auto presence = Presence::open(wanted.urls);
    if (!presence) return std::move(presence).error();
    store.presence = *std::move(presence);
    store.target.room_prefix = store.rooms->prefix();
    place.server = first;
    place.room = store.target.room_prefix + "describe";
  }
  auto description = describe_place(place);
  if (!description) return std::move(description).error();
  store.description = *std::move(description);
  return store;
}

Status open_lock_ground(const ProveOptions& options, Ground& ground) {
  const auto kind = lock_kind_of(options.lock);
  if (!kind) return kind.error();
  ground.lock.kind = *kind;
  ground.lock.allow_destructive = options.allow_destructive;
  if (*kind != LockKind::redis) return {};
  auto keys = LockGround::open(options.lock, options.keep);
  if (!keys) return std::move(keys).error();
  ground.keys = std::move(*keys);
  ground.lock.prefix = ground.keys->prefix();
  return {};
}

}  // namespace

Result<Ground> open_ground(const ProveOptions& options) {
  Ground ground;
  ground.place = Workplace::make(options.keep);
  if (ground.place == nullptr) {
    return unavailable(
        "mizan prove",
        "no temporary directory could be made; set TMPDIR to one that can be written");
  }
  if (const Status locked = open_lock_ground(options, ground); !locked) return locked.error();
  const auto wanted = wanted_stores(options, ground);
  if (!wanted) return wanted.error();
  for (const Wanted& each : *wanted) {
    auto store = open_store_under_test(each, ground, options.keep);
    if (!store) return std::move(store).error();
    ground.stores.push_back(*std::move(store));
  }
  return ground;
}

}  // namespace mizan::prover
