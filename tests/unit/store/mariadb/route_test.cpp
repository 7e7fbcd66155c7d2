#include "store/mariadb/route.hpp"

#include <gtest/gtest.h>

namespace mizan::mariadb {
namespace {

TEST(MariadbRoute, stays_at_a_node_until_it_fails_and_comes_round) {
  Route route({{"one", 1}, {"two", 2}, {"three", 3}});
  EXPECT_EQ(route.size(), 3U);
  EXPECT_EQ(route.current(), 0U);
  route.leave(0);
  EXPECT_EQ(route.address(route.current()).host, "two");
  route.leave(0);
  EXPECT_EQ(route.current(), 1U) << "somebody saw to that already";
  route.leave(1);
  route.leave(2);
  EXPECT_EQ(route.current(), 0U);
}

TEST(MariadbRoute, of_one_node_stays_there) {
  Route route({{"only", 1}});
  route.leave(0);
  EXPECT_EQ(route.current(), 0U);
}

TEST(MariadbRoute, keeps_to_the_cluster_that_it_met_first) {
  Route route({{"one", 1}, {"two", 2}});
  EXPECT_TRUE(route.belongs("a"));
  EXPECT_TRUE(route.belongs("a"));
  EXPECT_FALSE(route.belongs("b"));
}

}  // namespace
}  // namespace mizan::mariadb
