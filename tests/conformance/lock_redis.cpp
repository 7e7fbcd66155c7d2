#include "tests/conformance/lock_redis.hpp"

namespace mizan::conformance {
namespace {

using testkit::RedisCluster;
using testkit::RedisSentinelGroup;
using testkit::RedisServer;

constexpr const char* restart_reason =
    "a restart is a new incarnation: the same owner gets a new token (lock_redis_losses.cpp)";
constexpr const char* clock_reason = "leases end by the server's clock";

/// A lock world over servers that all tests of this process share; an error where they do not run.
template <class Servers>
Result<Servers*> shared() {
  static auto started = Servers::start();
  if (!started) return started.error();
  return started->get();
}

Result<RedisOptions> single_options() {
  auto server = shared<RedisServer>();
  if (!server) return std::move(server).error();
  return redis_at((*server)->port());
}

Result<RedisOptions> sentinel_options() {
  auto group = shared<RedisSentinelGroup>();
  if (!group) return std::move(group).error();
  RedisOptions options = redis_at((*group)->sentinel().port());
  options.topology = RedisTopology::sentinel;
  options.sentinel_master = "mizan";
  return options;
}

Result<RedisOptions> cluster_options() {
  auto cluster = shared<RedisCluster>();
  if (!cluster) return std::move(cluster).error();
  RedisOptions options = redis_at((*cluster)->nodes()[1]->port());
  options.topology = RedisTopology::cluster;
  return options;
}

LockCandidate candidate(std::string name, std::function<Result<RedisOptions>()> find) {
  LockCandidate made;
  made.name = std::move(name);
  made.open_empty = [find = std::move(find)]() -> std::unique_ptr<LockWorld> {
    const auto options = find();
    if (!options) {
      skip_or_fail_redis(options.error());
      return nullptr;
    }
    return std::make_unique<RedisWorld>(*options);
  };
  made.ttl = milliseconds{1'000};
  made.forgets_at_restart = restart_reason;
  made.needs_real_time = clock_reason;
  made.taken_away = LeaseLoss::taken;
  return made;
}

INSTANTIATE_TEST_SUITE_P(redis,
                         LockConformance,
                         ::testing::Values(candidate("single", single_options),
                                           candidate("sentinel", sentinel_options),
                                           candidate("cluster", cluster_options)),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
