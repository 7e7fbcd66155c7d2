#include "testkit/fake_clock.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/lock_conformance.hpp"
#include "tests/conformance/mariadb_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace mizan::conformance {
namespace {

/// The lease table of a MariaDB store. Leases run on the database's clock, which nobody can move
/// on; instead every lease is moved: back by what passes on the fake clock, and on by what has
/// passed on the database's.
class MariadbWorld final : public LockWorld {
 public:
  MariadbWorld() { start(); }

  LeaseTable& table() override { return store_->leases(); }

  const Clock& clock() override { return clock_; }

  void pass(std::chrono::nanoseconds time) override {
    // A little of what the database's clock is ahead stays: what has just expired is expired.
    const Instant now = system_clock().now();
    ahead_ += now - std::exchange(passed_at_, now);
    const auto back = std::max(ahead_ - ahead_max, std::chrono::nanoseconds::zero());
    ahead_ -= back;
    const auto shift = std::chrono::duration_cast<std::chrono::microseconds>(time - back);
    expect_done((*testkit::MariadbServer::shared())
                    ->execute("UPDATE " + prefix_of(folder_.path()) +
                              "leases SET expires_at = expires_at - " +
                              std::to_string(shift.count())));
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
    auto opened = open_mariadb(folder_.path(), clock_);
    if (!opened) expect_done(opened.error());
    store_ = std::move(opened).value();
    const auto migrated = store_->migrate();
    if (!migrated) expect_done(migrated.error());
    if (!began_) passed_at_ = system_clock().now();  // Making the tables is no lease's time.
    began_ = true;
  }

  testkit::TempDir folder_;
  testkit::FakeClock clock_;
  Instant passed_at_ = system_clock().now();
  std::chrono::nanoseconds ahead_{};
  bool began_ = false;
  std::unique_ptr<Store> store_;
};

LockCandidate mariadb_store() {
  LockCandidate candidate;
  candidate.name = "mariadb_store";
  candidate.open_empty = [] { return std::make_unique<MariadbWorld>(); };
  candidate.needs = {"mariadb", testkit::MariadbServer::why_missing};
  candidate.ttl = std::chrono::seconds(20);  // Long beside what a busy machine takes for a test.
  candidate.needs_real_time = "the database's clock does not stand still";
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(mariadb_store,
                         LockConformance,
                         ::testing::Values(mariadb_store()),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
