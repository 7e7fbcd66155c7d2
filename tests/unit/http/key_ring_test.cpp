#include "http/key_ring.hpp"

#include "mizan/memory.hpp"

#include "base/api_key.hpp"
#include "testkit/eventually.hpp"
#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace mizan::http {
namespace {

class KeyRingTest : public ::testing::Test {
 protected:
  std::string add(std::uint8_t scopes, std::optional<std::uint32_t> rate = std::nullopt) {
    const ApiKey made = make_api_key(random_);
    KeyRecord key;
    key.id = made.id;
    key.name = "test";
    key.scopes = scopes;
    key.hash = made.hash;
    key.rate_per_second = rate;
    EXPECT_TRUE(store_->keys()->add(key));
    return made.text;
  }

  /// The code of the refusal, or `applied` where it may go on.
  static Code check(KeyRing& ring, const std::string& authorization, Scope scope) {
    const Access access = ring.check(authorization, scope);
    return access.refusal ? access.refusal->code : Code::applied;
  }

  testkit::FakeClock clock_;
  SeededRandom random_{1};
  std::unique_ptr<Store> store_ = make_memory_store(clock_);
};

TEST_F(KeyRingTest, scopes_are_what_a_key_may_do) {
  const std::string reader = "Bearer " + add(1);
  const std::string writer = "bearer " + add(2);
  const std::string admin = "BEARER " + add(4);
  KeyRing ring(*store_->keys(), clock_);
  EXPECT_EQ(check(ring, reader, Scope::read), Code::applied);
  EXPECT_EQ(check(ring, reader, Scope::write), Code::forbidden);
  EXPECT_EQ(check(ring, writer, Scope::write), Code::applied);
  EXPECT_EQ(check(ring, writer, Scope::read), Code::forbidden);
  EXPECT_EQ(check(ring, admin, Scope::read), Code::applied);
  EXPECT_EQ(check(ring, admin, Scope::admin), Code::applied);
  EXPECT_EQ(check(ring, writer, Scope::admin), Code::forbidden);
  EXPECT_EQ(check(ring, "", Scope::open), Code::applied);
}

TEST_F(KeyRingTest, what_is_no_key_is_not_let_in) {
  const std::string key = add(7);
  KeyRing ring(*store_->keys(), clock_);
  std::string other = key;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  for (const std::string& text : {std::string(),
                                  std::string("Bearer"),
                                  std::string("Bearer "),
                                  key,
                                  "Basic " + key,
                                  "Bearer x" + key,
                                  "Bearer " + other}) {
    EXPECT_EQ(check(ring, text, Scope::read), Code::unauthorized) << text;
  }
}

TEST_F(KeyRingTest, a_rate_is_a_bucket_that_fills_with_time) {
  const std::string key = "Bearer " + add(1, 3);
  KeyRing ring(*store_->keys(), clock_);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(check(ring, key, Scope::read), Code::applied);
  EXPECT_EQ(check(ring, key, Scope::read), Code::rate_limited);
  clock_.advance(std::chrono::milliseconds{400});
  EXPECT_EQ(check(ring, key, Scope::read), Code::applied);
  EXPECT_EQ(check(ring, key, Scope::read), Code::rate_limited);
}

TEST_F(KeyRingTest, a_key_that_is_revoked_ends_while_the_server_runs) {
  const std::string key = add(7);
  KeyRing ring(*store_->keys(), clock_);
  EXPECT_EQ(check(ring, "Bearer " + key, Scope::read), Code::applied);
  ASSERT_TRUE(store_->keys()->revoke(key.substr(4, 12), clock_.wall_now()));
  EXPECT_TRUE(testkit::eventually(
      [&] { return check(ring, "Bearer " + key, Scope::read) == Code::unauthorized; }));
}

}  // namespace
}  // namespace mizan::http
