#include "tests/conformance/lock_store.hpp"

#include "mizan/memory.hpp"
#include "mizan/store_lock.hpp"

namespace mizan::conformance {
namespace {

Result<std::unique_ptr<Store>> open(const std::filesystem::path& /*folder*/, const Clock& clock) {
  return make_memory_store(clock);
}

LockCandidate memory_store() {
  LockCandidate made =
      store_lock_candidate("memory_store", "the leases live and die with the store", open);
  made.taken_away = LeaseLoss::taken;
  return made;
}

TEST(store_lock, keeps_its_leases_in_the_store) {
  const testkit::FakeClock clock;
  const auto store = make_memory_store(clock);
  const auto lock = make_store_lock(*store, clock);
  EXPECT_EQ(lock->name(), "store");
  AcquireRequest request;
  request.resource = resource;
  const auto outcome = lock->acquire(request);
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<Lease>(*outcome));
  const auto& lease = std::get<Lease>(*outcome);
  EXPECT_TRUE(*store->leases().renew(resource, lease.owner(), request.ttl));
  EXPECT_FALSE(*store->leases().renew(resource, stranger, request.ttl));
}

INSTANTIATE_TEST_SUITE_P(memory_store,
                         LockConformance,
                         ::testing::Values(memory_store()),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
