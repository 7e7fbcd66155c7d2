// The private cluster itself: what the tests that stand on it take for granted.

#include "testkit/eventually.hpp"
#include "testkit/galera_cluster.hpp"
#include "tests/conformance/galera_place.hpp"
#include "tests/conformance/needed_server.hpp"
#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

using testkit::GaleraCluster;

class GaleraTestkit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_there({"galera", GaleraCluster::why_missing})) return;
    cluster_ = must(GaleraCluster::shared());
    must(cluster_->execute(0, "CREATE OR REPLACE TABLE kit (id INT PRIMARY KEY)"));
  }

  void TearDown() override {
    if (cluster_ != nullptr) must(cluster_->heal());
  }

  [[nodiscard]] bool insert(std::size_t node, int id) {
    return cluster_->execute(node, "INSERT INTO kit VALUES (" + std::to_string(id) + ")")
        .has_value();
  }

  [[nodiscard]] std::string rows(std::size_t node) {
    return must(cluster_->node(node).ask(
        "SET SESSION wsrep_sync_wait = 1; SELECT GROUP_CONCAT(id ORDER BY id) FROM mizan.kit"));
  }

  GaleraCluster* cluster_ = nullptr;
};

TEST_F(GaleraTestkit, brings_back_a_node_that_was_killed_with_what_it_missed) {
  ASSERT_TRUE(insert(0, 1));
  cluster_->node(1).kill();
  ASSERT_TRUE(testkit::eventually([this] { return insert(0, 2); }));
  must(cluster_->heal());
  EXPECT_EQ(rows(1), "1,2");
}

TEST_F(GaleraTestkit, of_which_one_node_is_cut_off_goes_on_without_it_and_takes_it_back) {
  must(cluster_->set_provider_options(2, "gmcast.isolate=1"));
  EXPECT_TRUE(testkit::eventually([this] { return !cluster_->node(2).is_synced(); }));
  EXPECT_FALSE(insert(2, 9));
  EXPECT_TRUE(testkit::eventually([this] { return insert(0, 1); }));
  must(cluster_->set_provider_options(2, "gmcast.isolate=0"));
  must(cluster_->heal());
  EXPECT_EQ(rows(2), "1");
}

TEST_F(GaleraTestkit, that_lost_two_nodes_writes_nothing_until_they_are_back) {
  cluster_->node(1).freeze();
  cluster_->node(2).freeze();
  EXPECT_TRUE(testkit::eventually([this] { return !cluster_->node(0).is_synced(); }));
  EXPECT_FALSE(insert(0, 9));
  must(cluster_->heal());
  EXPECT_TRUE(insert(2, 1));
  EXPECT_EQ(rows(0), "1");
}

TEST_F(GaleraTestkit, comes_back_after_all_nodes_were_killed) {
  ASSERT_TRUE(insert(2, 1));
  for (std::size_t i = 0; i < GaleraCluster::size; ++i) cluster_->node(i).kill();
  must(cluster_->heal());
  EXPECT_EQ(rows(0), "1");
}

}  // namespace
}  // namespace mizan::conformance
