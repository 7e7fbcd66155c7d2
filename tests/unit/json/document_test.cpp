#include "json/document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan::json {
namespace {

FieldProblem refusal(std::string_view text) {
  const Parsed<Node> document = parse_document(text);
  if (document) return {"", "accepted", std::string(text)};
  EXPECT_EQ(document.error().problems.size(), 1U);
  return document.error().problems.front();
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Document, keeps_numbers_as_they_were_written) {
  const Parsed<Node> document =
      parse_document(R"([0, -1, 18446744073709551615, 99999999999999999999, 12.0, 1e3, -0.10])");
  std::vector<std::string> texts;
  for (const Node& node : document.value().items()) texts.push_back(node.text());
  EXPECT_EQ(
      texts,
      (std::vector<std::string>{
          "0", "-1", "18446744073709551615", "99999999999999999999", "12.0", "1e3", "-0.10"}));
  EXPECT_EQ(document.value().items()[3].kind(), Node::Kind::integer);
  EXPECT_EQ(document.value().items()[4].kind(), Node::Kind::decimal);
  EXPECT_EQ(document.value().items()[5].kind(), Node::Kind::decimal);
}

TEST(Document, reads_a_tree) {
  const Parsed<Node> document =
      parse_document(R"( {"a":[{"b":"x\u00e9"},null,true],"c":{"d":{}}} )");
  const Node& root = document.value();
  ASSERT_NE(root.find("a"), nullptr);
  const Node& array = *root.find("a");
  ASSERT_EQ(array.items().size(), 3U);
  EXPECT_EQ(array.items()[0].find("b")->text(), "xé");
  EXPECT_EQ(array.items()[1].kind(), Node::Kind::null);
  EXPECT_EQ(array.items()[2].text(), "true");
  EXPECT_TRUE(root.find("c")->find("d")->is_object());
  EXPECT_EQ(root.find("x"), nullptr);
}

TEST(Document, refuses_what_is_not_json) {
  for (const char* text :
       {"",      " ",          "{",        "}",        "{\"a\":}",    "{a:1}",
        "[1,]",  "{\"a\":1,}", "01",       "+1",       ".5",          "5.",
        "0x10",  "NaN",        "Infinity", "'a'",      "\"a",         "\"\x01\"",
        "[1] 2", "nul",        "// c\n1",  "\"\xff\"", "\"\\ud800\"", "\"\xed\xa0\x80\""}) {
    EXPECT_EQ(refusal(text).code, field_code::not_json) << text;
  }
  EXPECT_EQ(refusal(std::string_view("1\0", 2)).code, field_code::not_json);
  EXPECT_EQ(refusal(std::string_view("{}\0{", 4)).code, field_code::not_json);
}

TEST(Document, refuses_a_key_that_repeats) {
  const FieldProblem problem = refusal(R"({"legs":[{},{"a":{"x/y":1,"x/y":1}}]})");
  EXPECT_EQ(problem.code, field_code::duplicate_key);
  EXPECT_EQ(problem.pointer, "/legs/1/a/x~1y");
  EXPECT_EQ(refusal(R"({"a":1,"\u0061":2})").code, field_code::duplicate_key);
}

TEST(Document, nests_32_deep_and_no_deeper) {
  EXPECT_EQ(refusal(nested(32)).code, "accepted");
  EXPECT_EQ(refusal(nested(33)).code, field_code::too_deep);
  EXPECT_EQ(refusal(std::string(1'000'000, '[')).code, field_code::too_deep);
}

TEST(Document, has_a_limit_of_members) {
  const auto object_of = [](std::size_t members) {
    std::string text = "{";
    for (std::size_t i = 0; i < members; ++i) {
      text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":0";
    }
    return text + "}";
  };
  EXPECT_EQ(refusal(object_of(members_max)).code, "accepted");
  EXPECT_EQ(refusal(object_of(members_max + 1)).code, field_code::out_of_range);
}

TEST(Document, says_so_when_a_number_is_beyond_all_measure) {
  EXPECT_EQ(refusal("1e999").code, field_code::out_of_range);
  EXPECT_EQ(refusal(std::string(400, '9')).code, field_code::out_of_range);
}

TEST(JsonPointer, escapes_by_rfc_6901) {
  EXPECT_EQ(pointer_to("/a", "b~c/d"), "/a/b~0c~1d");
  EXPECT_EQ(pointer_to("", std::size_t{3}), "/3");
}

}  // namespace
}  // namespace mizan::json
