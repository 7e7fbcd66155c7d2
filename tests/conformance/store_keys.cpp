#include "mizan/key_table.hpp"

#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

// The keys of the HTTP interface: what was added is there, with its hash to the last bit, and ends
// once.

namespace mizan::conformance {
namespace {

KeyRecord key_of(const std::string& id) {
  KeyRecord key;
  key.id = id;
  key.name = "shop ☃";
  key.scopes = 3;
  for (std::size_t i = 0; i < key.hash.size(); ++i) key.hash[i] = static_cast<std::byte>(i * 37);
  key.created_at = Timestamp(std::chrono::microseconds{1'700'000'000'000'001});
  return key;
}

TEST_P(StoreConformance, keys_are_kept_as_they_were_added) {
  ASSERT_NE(store().keys(), nullptr);
  KeyTable& table = *store().keys();
  KeyRecord limited = key_of("b");
  limited.scopes = 4;
  limited.rate_per_second = 1'000'000;
  must(table.add(limited));
  must(table.add(key_of("a")));
  EXPECT_FALSE(table.add(key_of("a"))) << "the id exists";
  if (GetParam().persistent) reopen();
  const std::vector<KeyRecord> keys = must(store().keys()->list());
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].id, "a");
  EXPECT_EQ(keys[0].name, "shop ☃");
  EXPECT_EQ(keys[0].scopes, 3);
  EXPECT_EQ(keys[0].hash, key_of("a").hash);
  EXPECT_EQ(keys[0].created_at, key_of("a").created_at);
  EXPECT_FALSE(keys[0].rate_per_second);
  EXPECT_FALSE(keys[0].revoked_at);
  EXPECT_EQ(keys[1].rate_per_second, 1'000'000U);
  EXPECT_EQ(keys[1].scopes, 4);
}

TEST_P(StoreConformance, a_key_is_revoked_once_and_stays_in_the_list) {
  ASSERT_NE(store().keys(), nullptr);
  KeyTable& table = *store().keys();
  must(table.add(key_of("a")));
  const Timestamp at(std::chrono::microseconds{1'800'000'000'000'000});
  EXPECT_FALSE(must(table.revoke("none", at)));
  EXPECT_TRUE(must(table.revoke("a", at)));
  EXPECT_FALSE(must(table.revoke("a", at + std::chrono::hours{1})));
  EXPECT_EQ(must(table.list()).front().revoked_at, at);
}

}  // namespace
}  // namespace mizan::conformance
