#include "json/item_counter.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mizan::json {
namespace {

/// How much of the text is read before there are too many; the size where there never are.
std::size_t read_size(std::string_view text, std::size_t items_max = 2) {
  ItemCounter counter("operations", items_max);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!counter.feed(text.substr(i, 1))) return i + 1;
  }
  return text.size();
}

void expect_enough(std::string_view text) {
  EXPECT_EQ(read_size(text), text.size()) << text;
}

TEST(ItemCounter, ends_behind_the_comma_after_the_last_item_that_may_be) {
  EXPECT_EQ(read_size(R"({"operations":[1,2,3,4]})"),
            std::string_view(R"({"operations":[1,2,)").size());
  EXPECT_EQ(read_size(R"({"atomic":true, "operations" : [{"a":1},{"b":[1,2]},)"
                      "\n7]}"),
            std::string_view(R"({"atomic":true, "operations" : [{"a":1},{"b":[1,2]},)").size());
  EXPECT_EQ(read_size(R"({"operations":[[1,2,3],"a,b,c",)"),
            std::string_view(R"({"operations":[[1,2,3],"a,b,c",)").size());
}

TEST(ItemCounter, counts_nothing_else) {
  expect_enough(R"({"operations":[1,2]})");
  expect_enough(R"({"operations":[{"legs":[1,2,3,4],"m":{"a":1,"b":2,"c":3}},2]})");
  expect_enough(R"({"operations":["a\",\\\",,,b","\\"],"x":[1,2,3,4]})");
  expect_enough(R"({"other":[1,2,3,4],"operations":[1]})");
  expect_enough(R"({"a":"operations","b":[1,2,3,4]})");
  expect_enough(R"({"operations2":[1,2,3,4]})");
  expect_enough(R"({"operation":[1,2,3,4]})");
  expect_enough(R"({"x":{"operations":[1,2,3,4]}})");
  expect_enough(R"({"operations":{"a":1,"b":2,"c":3}})");
  expect_enough(R"([1,2,3,4])");
  expect_enough("]]]}}{{,,,:::");
  expect_enough("");
}

TEST(ItemCounter, takes_pieces_of_any_size) {
  const std::string text = R"({"operations":[1,"a\",b",3,4]})";
  ItemCounter whole("operations", 3);
  EXPECT_FALSE(whole.feed(text));
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    ItemCounter counter("operations", 3);
    const bool first = counter.feed(text.substr(0, cut));
    EXPECT_FALSE(first && counter.feed(text.substr(cut))) << cut;
  }
}

}  // namespace
}  // namespace mizan::json
