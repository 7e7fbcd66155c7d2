#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

class Fences {
 public:
  explicit Fences(Store& store) : store_(store) {}

  /// Advances in a transaction of its own; true when it passed (and was committed).
  bool pass(const Fence& fence) {
    auto transaction = must(store_.begin(soon()));
    const FenceAdvance answer = must(transaction->advance_fence(fence));
    if (const auto* stale = std::get_if<FenceStale>(&answer)) {
      newest_ = stale->newest.value();
      return false;
    }
    must(transaction->commit());
    return true;
  }

  [[nodiscard]] std::int64_t newest() const { return newest_; }

 private:
  Store& store_;
  std::int64_t newest_ = -1;
};

TEST_P(StoreConformance, an_older_token_is_stale_and_the_newest_one_is_named) {
  Fences fences(store());
  EXPECT_TRUE(fences.pass(fence("lock", 33, "a")));
  EXPECT_TRUE(fences.pass(fence("lock", 34, "b")));
  EXPECT_FALSE(fences.pass(fence("lock", 33, "a")));
  EXPECT_EQ(fences.newest(), 34);
  EXPECT_FALSE(fences.pass(fence("lock", 1, "b")));
  EXPECT_TRUE(fences.pass(fence("lock", 35, "a")));
}

TEST_P(StoreConformance, an_equal_token_passes_for_the_same_owner_only) {
  Fences fences(store());
  EXPECT_TRUE(fences.pass(fence("lock", 5, "me")));
  EXPECT_TRUE(fences.pass(fence("lock", 5, "me")));
  EXPECT_FALSE(fences.pass(fence("lock", 5, "you")));
  EXPECT_EQ(fences.newest(), 5);
  EXPECT_FALSE(fences.pass(fence("lock", 5, "ME")));
  EXPECT_FALSE(fences.pass(fence("lock", 5)));
  EXPECT_TRUE(fences.pass(fence("lock", 5, "me")));
}

TEST_P(StoreConformance, an_equal_token_without_an_owner_never_passes) {
  Fences fences(store());
  EXPECT_TRUE(fences.pass(fence("lock", 5)));
  EXPECT_FALSE(fences.pass(fence("lock", 5)));
  EXPECT_FALSE(fences.pass(fence("lock", 5, "me")));
  EXPECT_TRUE(fences.pass(fence("lock", 6)));
}

TEST_P(StoreConformance, a_token_means_nothing_for_another_resource) {
  Fences fences(store());
  EXPECT_TRUE(fences.pass(fence("lock-a", 100, "me")));
  EXPECT_TRUE(fences.pass(fence("lock-b", 1, "me")));
  EXPECT_TRUE(fences.pass(fence("LOCK-A", 1, "me")));
  EXPECT_FALSE(fences.pass(fence("lock-a", 99, "me")));
  EXPECT_TRUE(fences.pass(fence("lock-b", 2, "me")));
}

TEST_P(StoreConformance, an_advance_that_was_rolled_back_is_not_remembered) {
  Fences fences(store());
  EXPECT_TRUE(fences.pass(fence("lock", 5, "me")));
  {
    auto transaction = begin();
    ASSERT_TRUE(std::holds_alternative<FenceAccepted>(
        must(transaction->advance_fence(fence("lock", 9, "you")))));
    ASSERT_TRUE(std::holds_alternative<FenceAccepted>(
        must(transaction->advance_fence(fence("other", 9, "you")))));
  }
  EXPECT_TRUE(fences.pass(fence("lock", 6, "me")));
  EXPECT_TRUE(fences.pass(fence("other", 1, "me")));
}

TEST_P(StoreConformance, an_advance_counts_inside_its_own_transaction) {
  auto transaction = begin();
  ASSERT_TRUE(std::holds_alternative<FenceAccepted>(
      must(transaction->advance_fence(fence("lock", 9, "me")))));
  const FenceAdvance older = must(transaction->advance_fence(fence("lock", 8, "me")));
  ASSERT_TRUE(std::holds_alternative<FenceStale>(older));
  EXPECT_EQ(std::get<FenceStale>(older).newest, FenceToken{9});
}

TEST_P(StoreConformance, tokens_of_the_whole_range_are_ordered) {
  Fences fences(store());
  EXPECT_TRUE(fences.pass(fence("lock", 0, "me")));
  EXPECT_FALSE(fences.pass(fence("lock", 0, "you")));
  EXPECT_TRUE(fences.pass(fence("lock", INT64_MAX - 1, "me")));
  EXPECT_TRUE(fences.pass(fence("lock", INT64_MAX, "me")));
  EXPECT_FALSE(fences.pass(fence("lock", INT64_MAX - 1, "me")));
  EXPECT_EQ(fences.newest(), INT64_MAX);
}

TEST_P(StoreConformance, what_is_remembered_of_a_resource_can_be_read) {
  {
    auto transaction = begin();
    EXPECT_FALSE(must(transaction->load_fence(Resource("lock"))));
  }
  ASSERT_TRUE(Fences(store()).pass(fence("lock", 7, "me")));
  if (GetParam().persistent) reopen();
  auto transaction = begin();
  const FenceMark mark = must_have(transaction->load_fence(Resource("lock")));
  EXPECT_EQ(mark.token, FenceToken{7});
  EXPECT_EQ(mark.owner, LockOwner("me"));
  EXPECT_FALSE(must(transaction->load_fence(Resource("lock "))));
}

TEST_P(StoreConformance, resources_and_owners_of_full_length_are_told_apart) {
  Fences fences(store());
  const std::string resource(128, 'r');
  const std::string owner(64, 'o');
  EXPECT_TRUE(fences.pass(fence(resource, 5, owner)));
  EXPECT_TRUE(fences.pass(fence(resource.substr(1), 1, owner)));
  EXPECT_FALSE(fences.pass(fence(resource, 5, owner.substr(1))));
  EXPECT_TRUE(fences.pass(fence(resource, 5, owner)));
}

}  // namespace
}  // namespace mizan::conformance
