#include "prover/lock_ground.hpp"

#include "base/random.hpp"
#include "prover/servers/redis_room.hpp"
#include "prover/workers/janitor.hpp"
#include "prover/workers/roles.hpp"
#include "testkit/server.hpp"

#include <fmt/format.h>
#include <stdlib.h>

namespace mizan::prover {

namespace {

constexpr const char* url_variable = "MIZAN_PROVE_LOCK";

}  // namespace

Result<LockKind> lock_kind_of(std::string_view url) {
  if (url.empty()) return LockKind::by_default;
  if (url == "store:") return LockKind::store;
  if (url == "memory:") return LockKind::memory;
  if (url == "none:") return LockKind::none;
  if (url.starts_with("redis") || url.starts_with("valkey")) return LockKind::redis;
  return invalid_request("mizan prove",
                         "--lock takes redis://…, rediss://…, redis+sentinel://…, "
                         "redis+cluster://…, store:, memory: or none:");
}

std::string describe_lock(const LockTarget& lock) {
  switch (lock.kind) {
    case LockKind::by_default:
      return "store: and private Redis servers";
    case LockKind::store:
      return "store:";
    case LockKind::memory:
      return "memory:";
    case LockKind::none:
      return "none:";
    case LockKind::redis:
      break;
  }
  const auto options = redis_lock_options(lock.prefix);
  if (!options) return "redis";
  const std::string_view topology = options->topology == RedisTopology::cluster    ? "+cluster"
                                    : options->topology == RedisTopology::sentinel ? "+sentinel"
                                                                                   : "";
  const RedisAddress& first = options->addresses.front();
  return fmt::format(
      "redis{}{}://{}:{}", options->tls ? "s" : "", topology, first.host, first.port);
}

Result<RedisOptions> redis_lock_options(const std::string& prefix) {
  auto options = redis_options_of(testkit::environment_variable(url_variable));
  if (options) options->prefix = prefix;
  return options;
}

Result<std::unique_ptr<LockGround>> LockGround::open(const std::string& url, bool keep) {
  constexpr std::uint64_t names = std::uint64_t{1} << 48U;
  std::unique_ptr<LockGround> ground(
      new LockGround(fmt::format("prove_{:012x}", system_random().below(names))));
  ::setenv(url_variable, url.c_str(), 1);
  const auto options = redis_lock_options(ground->prefix());
  if (!options) return options.error();
  const auto there = count_lock_keys(*options, ground->prefix());
  if (!there) return there.error();
  if (*there != 0) {
    return unavailable("mizan prove", "somebody else's keys begin with " + ground->prefix());
  }
  if (keep) return ground;
  auto janitor = Child::start({"--as-lock-janitor", ground->prefix()});
  if (!janitor) return std::move(janitor).error();
  const auto ready = janitor->receive();
  if (!ready) return ready.error();
  ground->janitor_.emplace(std::move(*janitor));
  return ground;
}

LockGround::~LockGround() {
  if (janitor_) static_cast<void>(tidy_up(*janitor_));
}

int run_lock_janitor(std::span<const std::string_view> words) {
  if (words.size() != 1 || !words[0].starts_with("prove_")) return 1;
  const auto options = redis_lock_options(std::string(words[0]));
  if (!options) return 3;
  return serve_as_janitor([&] { return remove_lock_keys(*options, words[0]); });
}

}  // namespace mizan::prover
