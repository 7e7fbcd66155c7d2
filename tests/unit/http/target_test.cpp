#include "http/target.hpp"

#include <gtest/gtest.h>

namespace mizan::http {
namespace {

TEST(Target, a_path_ends_at_its_query) {
  EXPECT_EQ(path_of("/v1/wallets?limit=1"), "/v1/wallets");
  EXPECT_EQ(path_of("/v1#x"), "/v1");
  EXPECT_EQ(path_of("/"), "/");
}

TEST(Target, a_query_is_a_list_of_names_and_values) {
  const auto items = query_of("/x?a=1&b=%20x&&c&d=1=2&at=2026-01-01T00:00:00+02:00");
  ASSERT_TRUE(items);
  EXPECT_EQ(
      *items,
      (std::vector<QueryItem>{
          {"a", "1"}, {"b", " x"}, {"c", ""}, {"d", "1=2"}, {"at", "2026-01-01T00:00:00+02:00"}}));
  EXPECT_TRUE(query_of("/x")->empty());
  EXPECT_FALSE(query_of("/x?a=%"));
}

TEST(Target, a_target_may_name_its_host) {
  EXPECT_EQ(authority_of("http://evil.example/v1"), "evil.example");
  EXPECT_EQ(authority_of("http://[::1]:7780"), "[::1]:7780");
  EXPECT_EQ(authority_of("http://evil.example?x"), "evil.example");
  EXPECT_FALSE(authority_of("/v1/wallets?of=http://evil.example/"));
  EXPECT_FALSE(authority_of("*"));
}

TEST(Target, a_key_in_it_is_not_shown) {
  EXPECT_EQ(without_keys("/v1/wallets?key=mzk_abc_secret&limit=1"),
            "/v1/wallets?key=mzk_***&limit=1");
  EXPECT_EQ(without_keys("/mzk_a/mzk_b_c"), "/mzk_***/mzk_***");
  EXPECT_EQ(without_keys("/v1/wallets?limit=1"), "/v1/wallets?limit=1");
}

}  // namespace
}  // namespace mizan::http
