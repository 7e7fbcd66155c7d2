#include "testkit/fake_clock.hpp"
#include "tests/unit/store/sqlite/sqlite_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace mizan::sqlite {
namespace {

using std::chrono::seconds;

const Resource resource("wallet/alice");
const LockOwner me("me");
const LockOwner you("you");

class SqliteLeases : public SqliteTest {
 protected:
  SqliteLeases() { reopen(); }

  void reopen() {
    store_.reset();
    store_ = must(open_sqlite_store(options(), clock_));
    static_cast<void>(must(store_->migrate()));
  }

  [[nodiscard]] std::optional<std::int64_t> acquire(const LockOwner& owner) {
    const auto attempt = must(store_->leases().acquire(resource, owner, seconds(10)));
    const auto* granted = std::get_if<LeaseGranted>(&attempt);
    if (granted == nullptr) return std::nullopt;
    return granted->token.value();
  }

  testkit::FakeClock clock_;
  std::unique_ptr<Store> store_;
};

TEST_F(SqliteLeases, tokens_grow_over_release_expiry_and_restart) {
  EXPECT_EQ(acquire(me), 1);
  EXPECT_TRUE(must(store_->leases().release(resource, me)));
  EXPECT_EQ(acquire(me), 2);
  clock_.advance(seconds(11));
  EXPECT_EQ(acquire(you), 3);
  reopen();
  EXPECT_EQ(acquire(me), std::nullopt) << "the lease outlives the process";
  EXPECT_EQ(acquire(you), 3) << "the same owner repeats a lost reply";
  clock_.advance(seconds(11));
  EXPECT_EQ(acquire(you), 4) << "expired: a new grant, for the same owner too";
}

TEST_F(SqliteLeases, a_token_is_above_every_token_that_was_applied) {
  {
    // Tokens of a lock that served before, by another table.
    auto transaction = must(store_->begin(soon()));
    static_cast<void>(must(transaction->advance_fence({resource, FenceToken{900}, me})));
    must(transaction->commit());
  }
  EXPECT_EQ(acquire(me), 901);
  EXPECT_TRUE(must(store_->leases().release(resource, me)));
  {
    auto transaction = must(store_->begin(soon()));
    static_cast<void>(must(transaction->advance_fence({resource, FenceToken{5'000}, me})));
    must(transaction->commit());
  }
  EXPECT_EQ(acquire(you), 5'001);
}

TEST_F(SqliteLeases, the_greatest_token_that_a_client_applies_ends_the_grants_with_a_clear_error) {
  const auto expect_none_left = [this](const LockOwner& owner) {
    const auto attempt = store_->leases().acquire(resource, owner, seconds(10));
    ASSERT_FALSE(attempt);
    EXPECT_EQ(attempt.error().code, Code::invalid_request);
    EXPECT_EQ(attempt.error().retry, Retry::never);
    EXPECT_NE(attempt.error().detail.find("wallet/alice"), std::string::npos);
  };
  const auto apply_token = [this](std::int64_t token) {
    auto transaction = must(store_->begin(soon()));
    static_cast<void>(must(transaction->advance_fence({resource, FenceToken{token}, you})));
    must(transaction->commit());
  };
  apply_token(std::numeric_limits<std::int64_t>::max() - 1);
  EXPECT_EQ(acquire(me), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(acquire(me), std::numeric_limits<std::int64_t>::max()) << "the lease still lasts";
  EXPECT_EQ(acquire(you), std::nullopt);
  EXPECT_TRUE(must(store_->leases().release(resource, me)));
  expect_none_left(me);
  apply_token(std::numeric_limits<std::int64_t>::max());
  expect_none_left(you);
  clock_.advance(seconds(11));
  expect_none_left(you);
  EXPECT_TRUE(std::holds_alternative<LeaseGranted>(
      must(store_->leases().acquire(Resource("other"), me, seconds(10)))));
}

TEST_F(SqliteLeases, a_refused_attempt_says_how_long_the_other_lease_lasts) {
  EXPECT_EQ(acquire(me), 1);
  clock_.advance(seconds(4));
  const auto attempt = must(store_->leases().acquire(resource, you, seconds(10)));
  ASSERT_TRUE(std::holds_alternative<LeaseHeld>(attempt));
  EXPECT_EQ(std::get<LeaseHeld>(attempt).remaining, seconds(6));
}

TEST_F(SqliteLeases, only_the_owner_of_a_living_lease_renews_and_releases) {
  EXPECT_EQ(acquire(me), 1);
  EXPECT_FALSE(must(store_->leases().renew(resource, you, seconds(10))));
  EXPECT_FALSE(must(store_->leases().release(resource, you)));
  clock_.advance(seconds(9));
  EXPECT_TRUE(must(store_->leases().renew(resource, me, seconds(10))));
  clock_.advance(seconds(9));
  EXPECT_EQ(acquire(you), std::nullopt);
  clock_.advance(seconds(1));
  EXPECT_FALSE(must(store_->leases().renew(resource, me, seconds(10))));
  EXPECT_FALSE(must(store_->leases().release(resource, me)));
  EXPECT_FALSE(must(store_->leases().renew(Resource("no/such"), me, seconds(10))));
}

}  // namespace
}  // namespace mizan::sqlite
