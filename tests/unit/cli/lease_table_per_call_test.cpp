#include "cli/lease_table_per_call.hpp"

#include "mizan/lock.hpp"
#include "mizan/memory.hpp"

#include "testkit/fake_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Grants everything, and tells how long it was given.
class PatientTable final : public LeaseTable {
 public:
  explicit PatientTable(std::optional<milliseconds>& limit) : limit_(limit) {}

  Result<LeaseAttempt> acquire(const Resource&, const LockOwner&, milliseconds ttl) override {
    return LeaseAttempt{LeaseGranted{FenceToken{1}, ttl}};
  }

  Result<LeaseAttempt> acquire_within(const Resource& resource,
                                      const LockOwner& owner,
                                      milliseconds ttl,
                                      milliseconds limit) override {
    limit_ = limit;
    return acquire(resource, owner, ttl);
  }

  Result<bool> renew(const Resource&, const LockOwner&, milliseconds) override { return true; }

  Result<bool> release(const Resource&, const LockOwner&) override { return true; }

 private:
  std::optional<milliseconds>& limit_;
};

class PatientStore final : public Store {
 public:
  PatientStore(const Clock& clock, std::optional<milliseconds>& limit)
      : inner_(make_memory_store(clock)), leases_(limit) {}

  [[nodiscard]] StoreDescription describe() const override { return inner_->describe(); }

  Result<std::vector<std::string>> migrate() override { return inner_->migrate(); }

  Result<std::unique_ptr<Transaction>> begin(Deadline deadline) override {
    return inner_->begin(deadline);
  }

  Result<std::unique_ptr<Snapshot>> snapshot() override { return inner_->snapshot(); }

  Result<std::vector<Finding>> doctor() override { return inner_->doctor(); }

  Result<std::uint64_t> disk_bytes() override { return inner_->disk_bytes(); }

  LeaseTable& leases() override { return leases_; }

  GuardTable* guards() override { return nullptr; }

 private:
  std::unique_ptr<Store> inner_;
  PatientTable leases_;
};

class LeaseTablePerCallTest : public ::testing::Test {
 protected:
  /// Asks a store that takes so long to open, within a second.
  Result<LeaseAttempt> acquire_after(milliseconds opening) {
    LeaseTablePerCall table(
        [this, opening]() -> Result<std::unique_ptr<Store>> {
          clock_.advance(opening);
          return std::unique_ptr<Store>(std::make_unique<PatientStore>(clock_, limit_));
        },
        clock_);
    return table.acquire_within(Resource{"r"}, LockOwner{"me"}, seconds{10}, seconds{1});
  }

  testkit::FakeClock clock_;
  std::optional<milliseconds> limit_;  ///< That the store's table was given.
};

TEST_F(LeaseTablePerCallTest, the_opening_of_the_store_is_part_of_the_callers_time) {
  ASSERT_TRUE(acquire_after(milliseconds{300}));
  EXPECT_EQ(limit_, milliseconds{700});
}

TEST_F(LeaseTablePerCallTest, a_store_that_opens_too_late_is_not_asked) {
  const auto late = acquire_after(milliseconds{1'000});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::unavailable);
  EXPECT_EQ(late.error().certainty, Certainty::not_applied);
  EXPECT_FALSE(limit_);
}

}  // namespace
}  // namespace mizan::cli
