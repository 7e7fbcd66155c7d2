#include "store/mariadb/values.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mizan::mariadb {
namespace {

std::string_view only_text(const Parameters& parameters) {
  return parameters.text_of(parameters.columns().at(0).cells.at(0));
}

TEST(MariadbValues, lists_are_json_and_nothing_in_them_ends_a_string) {
  const std::vector<std::string_view> texts = {"plain", "q\"uote", "back\\slash", "a\nb", "ü"};
  Parameters parameters;
  parameters.list(texts);
  EXPECT_EQ(only_text(parameters), R"(["plain","q\"uote","back\\slash","a\u000ab","ü"])");
}

TEST(MariadbValues, numbers_and_bytes_have_lists_too) {
  const std::vector<std::int64_t> numbers = {1, -9223372036854775807 - 1};
  Parameters parameters;
  parameters.list(numbers);
  EXPECT_EQ(only_text(parameters), "[1,-9223372036854775808]");
  const std::vector<std::string> keys = {std::string("\x01\xff", 2), "op"};
  Parameters hexadecimal;
  hexadecimal.hexadecimal_list(keys);
  EXPECT_EQ(only_text(hexadecimal), R"(["01ff","6f70"])");
  Parameters empty;
  empty.list(std::span<const std::int64_t>());
  EXPECT_EQ(only_text(empty), "[]");
}

TEST(MariadbValues, a_column_has_one_value_for_each_row) {
  Parameters rows;
  rows.column(Kind::integer, 3, [](CellWriter& out, std::size_t i) {
    if (i == 1) return out.null();
    out.integer(static_cast<std::int64_t>(i));
  });
  EXPECT_EQ(rows.rows(), 3U);
  EXPECT_TRUE(rows.columns().at(0).cells.at(1).is_null);
  EXPECT_EQ(rows.columns().at(0).cells.at(2).integer, 2);
}

}  // namespace
}  // namespace mizan::mariadb
