#pragma once

#include "mizan/clock.hpp"
#include "mizan/redis.hpp"
#include "mizan/result.hpp"

#include <netdb.h>

#include <memory>

namespace mizan::redis {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;
using Resolver = int (*)(const char* host, const char* port, const addrinfo*, addrinfo**);

/// Where a server is. An address is read, and a name looked up by `resolve`, which cannot be
/// interrupted: one that does not answer in time is left to itself on a thread of its own. While
/// many such threads hang, names are refused at once. Blocks: up to the deadline.
[[nodiscard]] Result<Addresses> look_up(const RedisAddress& address,
                                        Deadline deadline,
                                        Resolver resolve = ::getaddrinfo);

}  // namespace mizan::redis
