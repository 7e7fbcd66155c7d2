#include "tests/golden/precedence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace mizan::golden {
namespace {

std::filesystem::path file_of(OperationType kind) {
  return std::filesystem::path(MIZAN_SOURCE_DIR) / "tests" / "golden" /
         ("precedence_" + std::string(to_string(kind)) + ".golden");
}

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(PrecedenceTables, have_a_line_for_each_pair_that_can_meet) {
  for (const OperationType kind : kinds()) {
    const std::string expected = precedence_table(kind);
    if (std::getenv("MIZAN_UPDATE_GOLDEN") != nullptr) std::ofstream(file_of(kind)) << expected;
    EXPECT_TRUE(read(file_of(kind)) == expected)
        << file_of(kind) << " is not what precedence.cpp makes; run this test with "
        << "MIZAN_UPDATE_GOLDEN=1 and read the difference";
  }
}

TEST(PrecedenceTables, name_refusals_in_the_order_of_the_decision) {
  for (const OperationType kind : kinds()) {
    EXPECT_TRUE(std::is_sorted(refusals_of(kind).begin(), refusals_of(kind).end()))
        << to_string(kind);
  }
}

TEST(PrecedenceTables, cover_every_refusal_of_the_money_rules) {
  std::set<Code> covered;
  for (const OperationType kind : kinds()) {
    covered.insert(refusals_of(kind).begin(), refusals_of(kind).end());
  }
  for (int number = 0; number <= static_cast<int>(Code::internal); ++number) {
    const Code code = static_cast<Code>(number);
    const bool of_the_rules =
        is_business_refusal(code) || code == Code::operation_mismatch || code == Code::stale_fence;
    EXPECT_EQ(covered.contains(code), of_the_rules) << to_string(code);
  }
}

}  // namespace
}  // namespace mizan::golden
