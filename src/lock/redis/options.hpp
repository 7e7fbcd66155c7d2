#pragma once

#include "mizan/redis.hpp"
#include "mizan/result.hpp"

namespace mizan::redis {

/// Can these options work? Names what is wrong, without any secret.
[[nodiscard]] Status check(const RedisOptions& options);

}  // namespace mizan::redis
