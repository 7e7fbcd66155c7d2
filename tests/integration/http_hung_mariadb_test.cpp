#include "hung_store.hpp"
#include "testkit/mariadb_server.hpp"

// The server whose database hangs.

namespace mizan::integration {
namespace {

class HungMariadb : public HungStore<testkit::MariadbServer> {
 protected:
  void SetUp() override { set_up("mariadb", "mariadbd"); }
};

TEST_P(HungMariadb, everybody_has_an_answer_soon_after_the_deadline) {
  answers_come_in_time();
}

TEST_P(HungMariadb, it_says_in_time_that_it_is_not_ready) {
  it_says_in_time_that_it_is_not_ready();
}

INSTANTIATE_TEST_SUITE_P(Locks,
                         HungMariadb,
                         ::testing::Values("none:", "memory:"),
                         [](const auto& setup) {
                           return std::string(setup.param) == "none:" ? "none" : "memory";
                         });

}  // namespace
}  // namespace mizan::integration
