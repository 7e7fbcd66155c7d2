#include "http/router.hpp"

#include "http/route.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace mizan::http {
namespace {

TEST(Router, finds_the_route_and_the_parameters_of_a_path) {
  const Router router;
  const RouteMatch match = router.find(Method::get, "/v1/wallets/a%2Fb/entries?limit=1");
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.route->pattern, "/v1/wallets/{id}/entries");
  EXPECT_EQ(match.parameters[0], "a/b");
  EXPECT_EQ(router.find(Method::head, "/livez").route, router.find(Method::get, "/livez").route);
  EXPECT_NE(router.find(Method::get, "http://example.com/livez").route, nullptr);
  EXPECT_EQ(router.find(Method::get, "/%6civez").route, router.find(Method::get, "/livez").route);
  EXPECT_EQ(router.find(Method::get, "/v1/%77allets/a").parameters[0], "a");
  EXPECT_EQ(router.find(Method::get, "/v1%2Fwallets").route, nullptr);
}

TEST(Router, says_which_methods_a_path_takes) {
  const Router router;
  const RouteMatch match = router.find(Method::del, "/v1/wallets");
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allow, "GET, HEAD, POST");
  EXPECT_TRUE(router.find(Method::get, "/v1").allow.empty());
}

TEST(Router, near_misses_are_no_routes) {
  const Router router;
  for (const char* target : {"",
                             "*",
                             "/",
                             "v1/wallets",
                             "/v1/wallets/",
                             "//v1/wallets",
                             "/v1/wallets/a/entries/",
                             "/v1/wallets/a/b/entries",
                             "/V1/wallets",
                             "/v1/holds//capture"}) {
    EXPECT_EQ(router.find(Method::get, target).route, nullptr) << target;
    EXPECT_EQ(router.find(Method::post, target).route, nullptr) << target;
  }
  EXPECT_TRUE(router.find(Method::get, "/v1/wallets/%zz").bad_encoding);
}

TEST(Router, what_changes_something_needs_the_right_to_and_a_place_in_the_order) {
  std::set<std::pair<Method, std::string_view>> seen;
  const Router router;
  for (const Route& route : router.routes()) {
    EXPECT_TRUE(seen.emplace(route.method, route.pattern).second) << route.pattern;
    const bool is_get = route.method == Method::get;
    EXPECT_EQ(route.order == Order::safe, is_get) << route.pattern;
    EXPECT_EQ(route.body_max == 0, is_get) << route.pattern;
    EXPECT_TRUE(is_get || route.scope >= Scope::write) << route.pattern;
  }
}

}  // namespace
}  // namespace mizan::http
