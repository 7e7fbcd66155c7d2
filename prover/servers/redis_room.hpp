#pragma once

#include "mizan/ids.hpp"
#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::prover {

// What the prover does to a Redis from outside of the lock: it looks for keys of its own prefix
// and removes those, and sends what an operator would send where that is allowed.

/// What the URL says, with user and passwords of MIZAN_REDIS_USER, MIZAN_REDIS_PASSWORD and
/// MIZAN_REDIS_SENTINEL_PASSWORD where it says none.
[[nodiscard]] Result<RedisOptions> redis_options_of(const std::string& url);

/// How many keys there are of prefixes that begin so.
[[nodiscard]] Result<std::size_t> count_lock_keys(const RedisOptions& options,
                                                  std::string_view prefix);

/// Removes them.
[[nodiscard]] Status remove_lock_keys(const RedisOptions& options, std::string_view prefix);

/// DEL of the lease, whoever holds it.
[[nodiscard]] Status delete_lease(const RedisOptions& options, const Resource& resource);

/// Has the Sentinels promote a replica. Returns once they have begun.
[[nodiscard]] Status fail_over(const RedisOptions& options);

/// The one master, as `host:port`.
[[nodiscard]] Result<std::string> name_master(const RedisOptions& options);

/// One command to every server that keeps leases.
[[nodiscard]] Status command_masters(const RedisOptions& options,
                                     const std::vector<std::string>& words);

}  // namespace mizan::prover
