#include "mizan/metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mizan {
namespace {

using ::testing::HasSubstr;
using Items = std::vector<Metadata::Item>;

std::string refusal(Items items) {
  const Result<Metadata> metadata = Metadata::make(std::move(items));
  if (metadata) return "accepted";
  EXPECT_EQ(metadata.error().code, Code::invalid_request);
  EXPECT_TRUE(metadata.error().where.starts_with("/metadata"));
  return metadata.error().detail;
}

/// The field to blame.
std::string place(Items items) {
  const Result<Metadata> metadata = Metadata::make(std::move(items));
  return metadata ? "none" : metadata.error().where;
}

TEST(Metadata, names_the_item_that_is_wrong) {
  EXPECT_EQ(place({{"a", "1"}, {"b c", "2"}}), "/metadata/b c");
  EXPECT_EQ(place({{"a/b~c", "1"}}), "/metadata/a~1b~0c");
  EXPECT_EQ(place({{"", "1"}}), "/metadata/");
  EXPECT_EQ(place({{"a", "1"}, {"long", std::string(513, 'v')}}), "/metadata/long");
  EXPECT_EQ(place({{"a", "1"}, {"odd", "\r"}}), "/metadata/odd");
  EXPECT_EQ(place({{"a", "1"}, {"b", "2"}, {"a", "3"}}), "/metadata/a");
  EXPECT_EQ(place(Items(17)), "/metadata") << "the whole";
}

TEST(Metadata, is_sorted_by_key) {
  const Result<Metadata> metadata = Metadata::make({{"b", "1"}, {"a", "2"}, {"B", "3"}});
  EXPECT_EQ(metadata.value().items(), (Items{{"B", "3"}, {"a", "2"}, {"b", "1"}}));
}

TEST(Metadata, has_at_most_sixteen_keys) {
  Items items;
  for (char c = 'a'; c <= 'p'; ++c) items.emplace_back(std::string(1, c), "");
  EXPECT_EQ(refusal(items), "accepted");
  items.emplace_back("q", "");
  EXPECT_THAT(refusal(items), HasSubstr("at most 16 keys; this has 17"));
}

TEST(Metadata, has_each_key_once) {
  EXPECT_THAT(refusal({{"a", "1"}, {"b", "2"}, {"a", "3"}}), HasSubstr("key \"a\" twice"));
}

TEST(Metadata, has_plain_keys) {
  EXPECT_EQ(refusal({{std::string(64, 'k'), ""}, {"A-z_0.9", ""}}), "accepted");
  for (const std::string& key : {std::string(),
                                 std::string(65, 'k'),
                                 std::string("a b"),
                                 std::string("é"),
                                 std::string("a/b"),
                                 std::string("a\"")}) {
    EXPECT_THAT(refusal({{key, ""}}), HasSubstr("metadata key")) << key;
  }
}

TEST(Metadata, has_values_of_clean_utf8) {
  EXPECT_EQ(refusal({{"a", "tab\tnewline\nمیزان 😀"}, {"b", std::string(512, 'v')}}), "accepted");
  EXPECT_THAT(refusal({{"a", std::string(513, 'v')}}), HasSubstr("512 bytes"));
  for (const char* value : {"\r", "\x1b", "\x7f", "\xc2\x85", "\xff", "\xed\xa0\x80"}) {
    EXPECT_THAT(refusal({{"a", value}}), HasSubstr("control characters")) << value;
  }
  EXPECT_THAT(refusal({{"a", std::string(1, '\0')}}), HasSubstr("control characters"));
}

TEST(Metadata, has_at_most_4096_bytes_in_all) {
  Items items;
  for (char c = 'a'; c < 'h'; ++c) items.emplace_back(std::string(1, c), std::string(511, 'v'));
  items.emplace_back("h", std::string(511, 'v'));
  EXPECT_EQ(refusal(items), "accepted");  // 8 × (1 + 511).
  items.back().second += 'v';
  EXPECT_THAT(refusal(items), HasSubstr("4096 bytes in all; this has 4097"));
}

}  // namespace
}  // namespace mizan
