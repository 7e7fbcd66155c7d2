#include "mizan/clock.hpp"

#include "tests/conformance/mariadb_place.hpp"
#include "tests/conformance/server_events.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

EventServer mariadb() {
  return {"mariadb",
          {"mariadb", testkit::MariadbServer::why_missing},
          [](const std::filesystem::path& directory) {
            return open_mariadb(directory, system_clock());
          },
          [](const std::filesystem::path& directory) {
            const std::string prefix = prefix_of(directory);
            return (*testkit::MariadbServer::shared())
                ->execute("DROP TABLE " + prefix + "outbox, " + prefix + "event_order, " + prefix +
                          "event_counter, " + prefix + "documents; RENAME TABLE " + prefix +
                          "batches TO " + prefix +
                          "journal_batches; SET @events = (SELECT version FROM " + prefix +
                          "schema_migrations WHERE name LIKE '%_events'); DELETE FROM " + prefix +
                          "schema_migrations WHERE version >= @events");
          }};
}

INSTANTIATE_TEST_SUITE_P(mariadb, ServerEvents, event_server(mariadb()));
INSTANTIATE_TEST_SUITE_P(mariadb, ServerTurns, event_server(mariadb()));

}  // namespace
}  // namespace mizan::conformance
