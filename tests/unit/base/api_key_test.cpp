#include "base/api_key.hpp"

#include <gtest/gtest.h>

namespace mizan {
namespace {

TEST(ApiKey, what_is_shown_hashes_to_what_is_kept) {
  SeededRandom random(7);
  const ApiKey made = make_api_key(random);
  EXPECT_EQ(made.text.size(), 60U);
  EXPECT_TRUE(made.text.starts_with("mzk_" + made.id + "_"));
  const auto shown = read_api_key(made.text);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->id, made.id);
  EXPECT_TRUE(is_same_hash(shown->hash, made.hash));
  EXPECT_NE(make_api_key(random).text, made.text);
}

TEST(ApiKey, one_other_character_is_another_secret) {
  SeededRandom random(7);
  const ApiKey made = make_api_key(random);
  std::string other = made.text;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  const auto shown = read_api_key(other);
  ASSERT_TRUE(shown);
  EXPECT_FALSE(is_same_hash(shown->hash, made.hash));
}

TEST(ApiKey, other_texts_are_no_keys) {
  SeededRandom random(7);
  const std::string good = make_api_key(random).text;
  EXPECT_FALSE(read_api_key(""));
  EXPECT_FALSE(read_api_key(good.substr(1)));
  EXPECT_FALSE(read_api_key(good + "x"));
  EXPECT_FALSE(read_api_key("MZK_" + good.substr(4)));
  std::string upper = good;
  upper[5] = 'A';
  EXPECT_FALSE(read_api_key(upper));
}

}  // namespace
}  // namespace mizan
