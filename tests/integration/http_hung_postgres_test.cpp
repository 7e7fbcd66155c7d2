#include "hung_store.hpp"
#include "testkit/postgres_server.hpp"

// The server whose database hangs.

namespace mizan::integration {
namespace {

class HungPostgres : public HungStore<testkit::PostgresServer> {
 protected:
  void SetUp() override { set_up("postgres", "postgres"); }
};

TEST_P(HungPostgres, everybody_has_an_answer_soon_after_the_deadline) {
  answers_come_in_time();
}

TEST_P(HungPostgres, it_says_in_time_that_it_is_not_ready) {
  it_says_in_time_that_it_is_not_ready();
}

INSTANTIATE_TEST_SUITE_P(Locks,
                         HungPostgres,
                         ::testing::Values("none:", "memory:"),
                         [](const auto& setup) {
                           return std::string(setup.param) == "none:" ? "none" : "memory";
                         });

}  // namespace
}  // namespace mizan::integration
