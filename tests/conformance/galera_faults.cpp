// Nodes that are killed, frozen and cut off while ledgers write.

#include "testkit/eventually.hpp"
#include "testkit/mariadb_server.hpp"
#include "tests/conformance/galera_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <initializer_list>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

using std::chrono::seconds;

/// Callers that each deposit 1, an id after the other, until they are told to stop. An id that was
/// answered with anything but "applied" is asked for again at the end.
class Load {
 public:
  Load(std::vector<Ledger*> ledgers, std::string wallet)
      : ledgers_(std::move(ledgers)), wallet_(std::move(wallet)) {
    for (std::size_t caller = 0; caller < ledgers_.size(); ++caller) {
      threads_.emplace_back([this, caller] { run(caller); });
    }
  }

  /// Waits until so many more were acknowledged.
  void wait_for(int more) {
    const int wanted = acknowledged_ + more;
    EXPECT_TRUE(testkit::eventually([&] { return acknowledged_ >= wanted; }, seconds(60)))
        << acknowledged_ << " of " << wanted;
  }

  void stop() {
    stop_ = true;
    threads_.clear();
  }

  /// All ids that were asked for; by now each must be applied, or become so.
  [[nodiscard]] const std::set<std::string>& asked() const { return asked_; }

  [[nodiscard]] const std::set<std::string>& applied() const { return applied_; }

  [[nodiscard]] Operation operation(const std::string& id) const { return deposit(id, wallet_, 1); }

 private:
  void run(std::size_t caller) {
    for (int i = 0; !stop_; ++i) {
      const std::string id = "op-" + std::to_string(caller) + "-" + std::to_string(i);
      {
        const std::scoped_lock lock(mutex_);
        asked_.insert(id);
      }
      CallOptions options;
      options.deadline = system_clock().now() + seconds(10);
      const Code code = code_of(ledgers_[caller]->apply(operation(id), options));
      if (code != Code::applied && code != Code::already_applied) continue;
      ++acknowledged_;
      const std::scoped_lock lock(mutex_);
      applied_.insert(id);
    }
  }

  std::vector<Ledger*> ledgers_;
  std::string wallet_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> acknowledged_ = 0;
  std::mutex mutex_;
  std::set<std::string> asked_;
  std::set<std::string> applied_;
  std::vector<std::jthread> threads_;
};

Finding::Level level_of(const std::vector<Finding>& findings, std::string_view name) {
  const auto found = std::find_if(findings.begin(), findings.end(), [name](const Finding& finding) {
    return finding.name == name;
  });
  EXPECT_NE(found, findings.end()) << name;
  return found == findings.end() ? Finding::Level::ok : found->level;
}

class GaleraFaults : public GaleraLedgers {
 protected:
  /// What was acknowledged is there, at every node that runs; and nothing is there twice.
  void expect_exactly_once(const Load& load, std::initializer_list<std::size_t> nodes) {
    for (const std::size_t node : nodes) {
      const auto store = open(node);
      const auto snapshot = must(store->snapshot());
      std::int64_t found = 0;
      for (const std::string& id : load.asked()) {
        const bool is_there = must(snapshot->find_operation(OperationId(id))).has_value();
        found += is_there ? 1 : 0;
        EXPECT_TRUE(is_there || !load.applied().contains(id)) << id << " at node " << node;
      }
      const Wallet hot = must_have(snapshot->find_wallet(WalletId("hot")));
      EXPECT_EQ(hot.balance.value(), found);
      EXPECT_EQ(hot.version, static_cast<std::uint64_t>(found));
    }
  }

  /// Asks for everything once more: afterwards each is applied, once.
  void repeat_everything(const Load& load, std::size_t index) {
    for (const std::string& id : load.asked()) {
      const Code code = apply_until_answered(index, load.operation(id));
      EXPECT_TRUE(code == Code::applied || code == Code::already_applied) << to_string(code);
    }
    const auto asked = static_cast<std::int64_t>(load.asked().size());
    for (std::size_t node = 0; node < GaleraCluster::size; ++node) {
      EXPECT_EQ(balance("hot", node), asked);
    }
  }
};

TEST_F(GaleraFaults, a_node_killed_under_load_costs_nothing_that_was_acknowledged) {
  create_with("hot", 0);
  add_ledger(cluster().url_of_all(1), Strategy::batched);
  add_ledger(cluster().url_of_all(1), Strategy::atomic);
  Load load({&ledger(4), &ledger(4), &ledger(5), &ledger(0)}, "hot");
  load.wait_for(50);
  cluster().node(1).kill();
  load.wait_for(100);  // The ledgers of the node that is gone go on at the next one.
  load.stop();
  expect_exactly_once(load, {0, 2});
  must(cluster().heal());
  expect_exactly_once(load, {0, 1, 2});
  repeat_everything(load, 1);
}

TEST_F(GaleraFaults, a_node_frozen_under_load_is_left_for_the_next_one) {
  create_with("hot", 0);
  add_ledger(cluster().url_of_all(2), Strategy::batched);
  Load load({&ledger(4), &ledger(4)}, "hot");
  load.wait_for(30);
  cluster().node(2).freeze();
  load.wait_for(60);  // Only the ledger that was at the frozen node writes.
  load.stop();
  must(cluster().heal());
  expect_exactly_once(load, {0, 1, 2});
  repeat_everything(load, 4);
}

TEST_F(GaleraFaults, a_node_without_its_majority_acknowledges_nothing_and_comes_back) {
  create_with("hot", 0);
  Load load({&ledger(0), &ledger(3)}, "hot");
  load.wait_for(20);
  cluster().node(1).freeze();
  cluster().node(2).freeze();
  ASSERT_TRUE(testkit::eventually([&] { return !cluster().node(0).is_synced(); }));
  std::set<Code> seen;
  for (int i = 0; i < 5; ++i) {
    CallOptions options;
    options.deadline = system_clock().now() + seconds(2);
    const std::string id = "lone-" + std::to_string(i);
    const Instant before = system_clock().now();
    seen.insert(code_of(ledger(0).apply(deposit(id, "hot", 1), options)));
    EXPECT_LT(system_clock().now() - before, seconds(10));
  }
  EXPECT_EQ(seen, std::set<Code>{Code::unavailable});
  const auto snapshot = store(0).snapshot();
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().code, Code::unavailable);
  load.stop();
  must(cluster().heal());
  expect_exactly_once(load, {0, 1, 2});
  repeat_everything(load, 0);
}

TEST_F(GaleraFaults, the_doctor_names_a_lost_majority_and_everybody_else_says_so) {
  add_ledger(cluster().url_of_all(0), Strategy::atomic);
  cluster().node(1).freeze();
  cluster().node(2).freeze();
  ASSERT_TRUE(testkit::eventually([&] { return !cluster().node(0).is_synced(); }));
  const auto alone = open(0);  // As a program does that starts now.
  const auto refused = alone->snapshot();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
  EXPECT_NE(refused.error().detail.find("majority"), std::string::npos) << refused.error().detail;
  for (Store* asked : {alone.get(), &store(0), &store(4)}) {
    const auto findings = asked->doctor();
    ASSERT_TRUE(findings) << findings.error().where << findings.error().detail;
    EXPECT_EQ(level_of(*findings, "cluster"), Finding::Level::problem);
  }
  must(cluster().heal());
  EXPECT_EQ(level_of(must(store(0).doctor()), "cluster"), Finding::Level::ok);
}

TEST_F(GaleraFaults, a_node_that_is_cut_off_is_left_for_one_of_the_majority) {
  create_with("hot", 0);
  add_ledger(cluster().url_of_all(0), Strategy::pessimistic);
  Load load({&ledger(4), &ledger(4)}, "hot");
  load.wait_for(20);
  must(cluster().set_provider_options(0, "gmcast.isolate=1"));
  load.wait_for(40);
  load.stop();
  expect_exactly_once(load, {1, 2});
  must(cluster().set_provider_options(0, "gmcast.isolate=0"));
  must(cluster().heal());
  expect_exactly_once(load, {0, 1, 2});
  repeat_everything(load, 4);
}

TEST_F(GaleraFaults, nothing_that_was_acknowledged_is_lost_when_all_nodes_are_killed) {
  create_with("hot", 0);
  Load load({&ledger(0), &ledger(1), &ledger(2)}, "hot");
  load.wait_for(40);
  for (std::size_t node = 0; node < GaleraCluster::size; ++node) cluster().node(node).kill();
  load.stop();
  must(cluster().heal());
  expect_exactly_once(load, {0, 1, 2});
  repeat_everything(load, 2);
}

TEST_F(GaleraFaults, several_hosts_must_be_nodes_of_one_cluster) {
  const auto server = testkit::MariadbServer::shared();
  ASSERT_TRUE(server) << "the packages of the cluster bring it: " << server.error().detail;
  auto options = must(parse_mariadb_url(cluster().url(0)));
  EXPECT_TRUE(open_mariadb_store(options, system_clock()));
  options.further_nodes = {{options.host, options.port}};
  options.port = 1;
  EXPECT_TRUE(open_mariadb_store(options, system_clock())) << "the first host is not there";
  options = must(parse_mariadb_url((*server)->url()));
  options.further_nodes = {{"127.0.0.1", 1}};
  const auto refused = open_mariadb_store(options, system_clock());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid_request);
  EXPECT_NE(refused.error().detail.find("several servers"), std::string::npos)
      << refused.error().detail;
}

}  // namespace
}  // namespace mizan::conformance
