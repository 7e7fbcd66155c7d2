#include "testkit/fake_clock.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/lock_conformance.hpp"
#include "tests/conformance/postgres_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace mizan::conformance {
namespace {

/// The lease table of a PostgreSQL store. Leases run on the database's clock, which nobody can move
/// on; instead every lease is moved: back by what passes on the fake clock, and on by what has
/// passed on the database's.
class PostgresWorld final : public LockWorld {
 public:
  PostgresWorld() { start(); }

  LeaseTable& table() override { return store_->leases(); }

  const Clock& clock() override { return clock_; }

  void pass(std::chrono::nanoseconds time) override {
    // A little of what the database's clock is ahead stays: what has just expired is expired.
    const Instant now = system_clock().now();
    ahead_ += now - std::exchange(passed_at_, now);
    const auto back = std::max(ahead_ - ahead_max, std::chrono::nanoseconds::zero());
    ahead_ -= back;
    const auto shift = std::chrono::duration_cast<std::chrono::microseconds>(time - back);
    expect_done((*testkit::PostgresServer::shared())
                    ->execute("UPDATE " + schema_of(folder_.path()) +
                              ".leases SET expires_at = expires_at - interval '" +
                              std::to_string(shift.count()) + " microseconds'"));
    clock_.advance(time);
  }

  void restart() override {
    store_.reset();
    start();
  }

 private:
  static constexpr std::chrono::nanoseconds ahead_max = std::chrono::milliseconds(500);

  static void expect_done(const Status& status) {
    if (status) return;
    ADD_FAILURE() << status.error().where << ": " << status.error().detail;
    std::abort();
  }

  void start() {
    auto opened = open_postgres(folder_.path(), clock_);
    if (!opened) expect_done(opened.error());
    store_ = std::move(opened).value();
    const auto migrated = store_->migrate();
    if (!migrated) expect_done(migrated.error());
    if (!began_) passed_at_ = system_clock().now();  // Making the tables is no lease's time.
    began_ = true;
  }

  testkit::TempDir folder_;
  testkit::FakeClock clock_;
  bool began_ = false;
  Instant passed_at_ = system_clock().now();
  std::chrono::nanoseconds ahead_{};
  std::unique_ptr<Store> store_;
};

LockCandidate postgres_store() {
  LockCandidate candidate;
  candidate.name = "postgres_store";
  candidate.open_empty = [] { return std::make_unique<PostgresWorld>(); };
  candidate.needs = {"postgres", testkit::PostgresServer::why_missing};
  candidate.ttl = std::chrono::seconds(20);  // Long beside what a busy machine takes for a test.
  candidate.needs_real_time = "the database's clock does not stand still";
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(postgres_store,
                         LockConformance,
                         ::testing::Values(postgres_store()),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
