#include "base/passing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace mizan {
namespace {

// Spec 5.3: what comes with Retry-After, and a rate that was exceeded.
TEST(Passing, is_what_did_nothing_and_what_nobody_has_to_mend) {
  const std::set<Code> passing{
      Code::rate_limited, Code::lock_busy, Code::contended, Code::in_progress, Code::unavailable};
  for (auto number = static_cast<std::uint8_t>(Code::applied);
       number <= static_cast<std::uint8_t>(Code::internal);
       ++number) {
    const Code code{number};
    EXPECT_EQ(is_passing(code), passing.contains(code)) << to_string(code);
  }
}

}  // namespace
}  // namespace mizan
