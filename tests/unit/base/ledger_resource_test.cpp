#include "base/ledger_resource.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mizan {
namespace {

TEST(LedgerResource, is_a_name_that_no_user_can_state) {
  const Resource resource = ledger_resource("wallet", "alice");
  EXPECT_EQ(resource.view(), "mizan:wallet/alice");
  EXPECT_TRUE(is_ledger_resource(resource));
  EXPECT_FALSE(parse_resource(resource.view()));
  EXPECT_FALSE(is_ledger_resource(Resource{"wallet/alice"}));
  EXPECT_FALSE(is_ledger_resource(Resource{"mizan"}));
  EXPECT_FALSE(is_ledger_resource(Resource{}));
}

TEST(LedgerResource, of_the_longest_ids_are_told_apart) {
  const std::string longest(63, 'x');
  EXPECT_NE(ledger_resource("operation", longest + "a"),
            ledger_resource("operation", longest + "b"));
}

}  // namespace
}  // namespace mizan
