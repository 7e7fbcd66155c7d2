#include "cli_hung.hpp"
#include "testkit/postgres_server.hpp"

// The program whose database accepts a connection and says nothing.

namespace mizan::integration {
namespace {

TEST(CliHung, postgres_is_given_up_at_the_deadline) {
  const auto database = start_server<testkit::PostgresServer>("postgres");
  if (database == nullptr) GTEST_SKIP() << "no PostgreSQL";
  expect_answers_of_frozen(*database, "postgres");
}

}  // namespace
}  // namespace mizan::integration
