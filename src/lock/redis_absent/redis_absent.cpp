#include "mizan/redis.hpp"

namespace mizan {
namespace {

Error absent() {
  return invalid_request("lock: redis",
                         "this build has no Redis; install libhiredis-dev and build again with "
                         "MIZAN_WITH_REDIS=ON");
}

}  // namespace

Result<RedisOptions> parse_redis_url(std::string_view /*url*/) {
  return absent();
}

Result<std::unique_ptr<LeaseTable>> make_redis_lease_table(const RedisOptions& /*options*/,
                                                           EpochTable* /*epochs*/) {
  return absent();
}

Result<std::unique_ptr<LockService>> make_redis_lock(const RedisOptions& /*options*/,
                                                     EpochTable* /*epochs*/,
                                                     const Clock& /*clock*/) {
  return absent();
}

}  // namespace mizan
