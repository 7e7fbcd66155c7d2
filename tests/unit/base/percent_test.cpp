#include "base/percent.hpp"

#include <gtest/gtest.h>

namespace mizan {
namespace {

TEST(Percent, escapes_are_resolved_or_refused) {
  EXPECT_EQ(percent_decoded("a%2Fb%3a%40"), "a/b:@");
  EXPECT_EQ(percent_decoded("%41%2b"), "A+");
  EXPECT_EQ(percent_decoded("%00"), std::string(1, '\0'));
  EXPECT_EQ(percent_decoded("a+b"), "a+b");
  for (const char* text : {"%", "%4", "%zz", "a%2", "%%41", "%-1"}) {
    EXPECT_FALSE(percent_decoded(text)) << text;
  }
}

}  // namespace
}  // namespace mizan
