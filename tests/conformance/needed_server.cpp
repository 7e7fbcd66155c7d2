#include "tests/conformance/needed_server.hpp"

#include "testkit/server.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {

bool is_there(const NeededServer& server) {
  if (!server.why_missing) return true;
  const auto why = server.why_missing();
  if (!why) return true;
  const auto verdict = [&] {
    if (testkit::is_required(server.name)) FAIL() << *why;
    GTEST_SKIP() << "skipped: " << *why;
  };
  verdict();
  return false;
}

}  // namespace mizan::conformance
