#include "locks.hpp"

#include "mizan/clock.hpp"
#include "mizan/redis.hpp"

#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace mizan {
namespace {

constexpr std::string_view locks_built_in =
    "none:, store:, memory:, redis://, redis+sentinel:// and redis+cluster://";

/// What is better not written into a URL. It fills what the URL leaves open.
void add_secret(std::string& into, const char* variable) {
  const char* value = std::getenv(variable);
  if (into.empty() && value != nullptr) into = value;
}

Result<std::unique_ptr<LockService>> open_redis(std::string_view url,
                                                const cli::LockGround& ground) {
  auto options = parse_redis_url(url);
  if (!options) return std::move(options).error();
  add_secret(options->user, "MIZAN_REDIS_USER");
  add_secret(options->password, "MIZAN_REDIS_PASSWORD");
  add_secret(options->sentinel_password, "MIZAN_REDIS_SENTINEL_PASSWORD");
  if (ground.wait) {
    options->connect_timeout = std::min(options->connect_timeout, *ground.wait);
    options->command_timeout = std::min(options->command_timeout, *ground.wait);
  }
  return make_redis_lock(*options, ground.epochs, system_clock());
}

bool is_redis(std::string_view scheme) {
  return scheme.starts_with("redis") || scheme.starts_with("valkey");
}

}  // namespace

Result<std::unique_ptr<LockService>> open_lock(std::string_view url,
                                               const cli::LockGround& ground) {
  const std::string_view scheme = url.substr(0, url.find(':'));
  if (url == "none:") return make_no_lock(system_clock());
  if (url == "memory:") return make_memory_lock(system_clock());
  if (url == "store:" && ground.leases != nullptr) {
    return make_lock_service("store", *ground.leases, system_clock());
  }
  if (is_redis(scheme)) return open_redis(url, ground);
  if (scheme == "http" || scheme == "https") {
    return invalid_request(
        "lock",
        fmt::format("{0}: is no lock of its own: a server brings its locks along; "
                    "say --store {0}://… and leave --lock out (without a server "
                    "this build has {1})",
                    scheme,
                    locks_built_in));
  }
  return invalid_request("lock",
                         fmt::format("'{}' is no URL of a lock; this build has {}",
                                     cli::without_password(url),
                                     locks_built_in));
}

}  // namespace mizan
