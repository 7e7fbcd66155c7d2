#pragma once

#include "testkit/redis_server.hpp"
#include "testkit/server.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {

/// For tests that stand on private Redis servers: ends the test where one did not start, with a
/// skip that names the package where it is missing and MIZAN_REQUIRE does not ask for it.
inline void skip_or_fail_redis(const Error& error) {
  const auto missing = testkit::RedisServer::why_missing();
  if (missing && !testkit::is_required("redis")) GTEST_SKIP() << "not run: " << *missing;
  FAIL() << error.where << ": " << error.detail;
}

}  // namespace mizan::conformance
