#include "mizan/metadata.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mizan {
namespace {

Metadata made(std::vector<Metadata::Item> items) {
  Result<Metadata> metadata = Metadata::make(std::move(items));
  EXPECT_TRUE(metadata.has_value());
  return std::move(metadata).value();
}

TEST(MetadataText, an_empty_map_is_an_empty_text) {
  EXPECT_EQ(encode_metadata({}), "");
  EXPECT_EQ(decode_metadata("").value(), Metadata{});
  EXPECT_EQ(decode_metadata("{}").value(), Metadata{});
}

TEST(MetadataText, is_one_object_sorted_by_key_without_white_space) {
  EXPECT_EQ(encode_metadata(made({{"b", "2\n\"x\""}, {"a", "میزان"}})),
            "{\"a\":\"میزان\",\"b\":\"2\\n\\\"x\\\"\"}");
}

TEST(MetadataText, reads_back_what_it_wrote) {
  const Metadata metadata = made({{"k", "tab\tnew\nline \\ \" / \u00e9 \U0001f600"}, {"e", ""}});
  EXPECT_EQ(decode_metadata(encode_metadata(metadata)).value(), metadata);
}

TEST(MetadataText, reads_any_json_object_of_strings) {
  const Result<Metadata> metadata =
      decode_metadata(" { \"b\" : \"\\u00e9\\ud83d\\ude00\\/\" , \"a\":\"\" } ");
  EXPECT_EQ(metadata.value(), made({{"a", ""}, {"b", "é😀/"}}));
}

TEST(MetadataText, refuses_everything_else) {
  for (const char* text : {"{",
                           "}",
                           "null",
                           "[]",
                           "{\"a\"}",
                           "{\"a\":1}",
                           "{\"a\":\"b\",}",
                           "{\"a\":\"b\"}x",
                           "{\"a\":\"b\"",
                           "{\"a\":\"b",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\u12\"}",
                           "{\"a\":\"\\u12g4\"}",
                           "{\"a\":\"\\ud800\"}",
                           "{\"a\":\"\\ud800\\u0041\"}",
                           "{\"a\":\"\\udc00\"}",
                           "{\"a\":\"\\",
                           "{\"a\":\"\\u0001\"}",
                           "{\"a\":\"b\",\"a\":\"c\"}",
                           "{\"\":\"b\"}"}) {
    const Result<Metadata> metadata = decode_metadata(text);
    ASSERT_FALSE(metadata.has_value()) << text;
    EXPECT_EQ(metadata.error().code, Code::invalid_request);
  }
}

}  // namespace
}  // namespace mizan
