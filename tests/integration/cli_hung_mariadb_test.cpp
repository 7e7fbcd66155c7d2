#include "cli_hung.hpp"
#include "testkit/mariadb_server.hpp"

// The program whose database accepts a connection and says nothing.

namespace mizan::integration {
namespace {

TEST(CliHung, mariadb_is_given_up_at_the_deadline) {
  const auto database = start_server<testkit::MariadbServer>("mariadb");
  if (database == nullptr) GTEST_SKIP() << "no MariaDB";
  expect_answers_of_frozen(*database, "mariadbd");
}

}  // namespace
}  // namespace mizan::integration
