#include "testkit/fake_clock.hpp"
#include "testkit/temp_dir.hpp"
#include "tests/conformance/galera_place.hpp"
#include "tests/conformance/lock_conformance.hpp"
#include "tests/conformance/lock_store.hpp"
#include "tests/conformance/mariadb_client.hpp"
#include "tests/conformance/mariadb_place.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace mizan::conformance {
namespace {

/// A server, or one node of a cluster.
struct MariadbLeases {
  OpenStore open;
  std::function<std::string()> url;
  std::function<std::string(const std::filesystem::path& folder)> prefix_of;
};

/// The lease table of a MariaDB store. Leases run on the database's clock, which nobody can move
/// on; instead every lease is moved: back by what passes on the fake clock, and on by what has
/// passed on the database's.
class MariadbWorld final : public LockWorld {
 public:
  explicit MariadbWorld(MariadbLeases leases)
      : leases_(std::move(leases)), client_(MariadbClient::at(leases_.url())) {
    start();
  }

  LeaseTable& table() override { return store_->leases(); }

  const Clock& clock() override { return clock_; }

  void pass(std::chrono::nanoseconds time) override {
    // A little of what the database's clock is ahead stays: what has just expired is expired.
    const Instant now = system_clock().now();
    ahead_ += now - std::exchange(passed_at_, now);
    const auto back = std::max(ahead_ - ahead_max, std::chrono::nanoseconds::zero());
    ahead_ -= back;
    const auto shift = std::chrono::duration_cast<std::chrono::microseconds>(time - back);
    const std::string said =
        client_.ask("UPDATE " + leases_.prefix_of(folder_.path()) +
                    "leases SET expires_at = expires_at - " + std::to_string(shift.count()));
    if (!said.empty()) expect_done(internal_error("UPDATE", said));
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
    auto opened = leases_.open(folder_.path(), clock_);
    if (!opened) expect_done(opened.error());
    store_ = std::move(opened).value();
    const auto migrated = store_->migrate();
    if (!migrated) expect_done(migrated.error());
    if (!began_) passed_at_ = system_clock().now();  // Making the tables is no lease's time.
    began_ = true;
  }

  MariadbLeases leases_;
  MariadbClient client_;  // One for all the steps of a test, which are some hundred.
  testkit::TempDir folder_;
  testkit::FakeClock clock_;
  Instant passed_at_ = system_clock().now();
  std::chrono::nanoseconds ahead_{};
  bool began_ = false;
  std::unique_ptr<Store> store_;
};

LockCandidate candidate_of(std::string name, const MariadbLeases& leases) {
  LockCandidate candidate;
  candidate.name = std::move(name);
  candidate.open_empty = [leases] { return std::make_unique<MariadbWorld>(leases); };
  candidate.ttl = std::chrono::seconds(20);  // Long beside what a busy machine takes for a test.
  candidate.needs_real_time = "the database's clock does not stand still";
  return candidate;
}

LockCandidate mariadb_store() {
  MariadbLeases leases;
  leases.open = [](const std::filesystem::path& folder, const Clock& clock) {
    return open_mariadb(folder, clock);
  };
  leases.url = [] { return must(testkit::MariadbServer::shared())->url(); };
  leases.prefix_of = [](const std::filesystem::path& folder) { return prefix_of(folder); };
  LockCandidate candidate = candidate_of("mariadb_store", leases);
  candidate.needs = {"mariadb", testkit::MariadbServer::why_missing};
  return candidate;
}

LockCandidate galera_store() {
  MariadbLeases leases;
  leases.open = [](const std::filesystem::path& folder,
                   const Clock& clock) -> Result<std::unique_ptr<Store>> {
    auto cluster = testkit::GaleraCluster::shared();
    if (!cluster) return cluster.error();
    return open_galera((*cluster)->url(1), folder, clock);
  };
  leases.url = [] { return must(testkit::GaleraCluster::shared())->url(1); };
  leases.prefix_of = galera_prefix_of;
  LockCandidate candidate = candidate_of("galera_store", leases);
  candidate.needs = {"galera", testkit::GaleraCluster::why_missing};
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(mariadb_store,
                         LockConformance,
                         ::testing::Values(mariadb_store()),
                         candidate_name);
INSTANTIATE_TEST_SUITE_P(galera_store,
                         LockConformance,
                         ::testing::Values(galera_store()),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
