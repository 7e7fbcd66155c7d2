#include "base/duration.hpp"

#include <gtest/gtest.h>

namespace mizan {
namespace {

using std::chrono::milliseconds;

TEST(Duration, is_a_number_with_a_unit_or_a_sum_of_them) {
  EXPECT_EQ(parse_duration("500ms"), milliseconds{500});
  EXPECT_EQ(parse_duration("10s"), milliseconds{10'000});
  EXPECT_EQ(parse_duration("90m"), milliseconds{90 * 60'000});
  EXPECT_EQ(parse_duration("1h30m"), milliseconds{90 * 60'000});
  EXPECT_EQ(parse_duration("1d2h3m4s5ms"), milliseconds{93'784'005});
  EXPECT_EQ(parse_duration("36600d"), milliseconds{36'600LL * 86'400'000});
}

TEST(Duration, is_nothing_else) {
  for (const char* text : {"",
                           "10",
                           "s",
                           "0s",
                           "-1s",
                           "+1s",
                           "1.5h",
                           "01s",
                           "1 s",
                           "1w",
                           "1S",
                           "1m1h",
                           "1s1s",
                           "36601d",
                           "36600d1ms",
                           "99999999999999999999s",
                           "1s "}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Duration, is_written_as_it_is_read) {
  for (const char* text : {"1ms", "1s", "1h30m", "7d", "1d2h3m4s5ms"}) {
    EXPECT_EQ(format_duration(*parse_duration(text)), text);
  }
  EXPECT_EQ(format_duration(milliseconds{0}), "0ms");
}

}  // namespace
}  // namespace mizan
