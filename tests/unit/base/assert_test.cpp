#include "base/assert.hpp"

#include <gtest/gtest.h>

namespace mizan {
namespace {

TEST(AssertDeathTest, names_the_file_and_the_expression_and_aborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const int legs = 0;
  EXPECT_DEATH(MIZAN_ASSERT(legs == 1), "assert_test.cpp:[0-9]+: legs == 1");
}

TEST(Assert, evaluates_its_condition_once) {
  int evaluated = 0;
  MIZAN_ASSERT(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace mizan
