#include "mizan/clock.hpp"

#include "tests/conformance/postgres_place.hpp"
#include "tests/conformance/server_events.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

EventServer postgres() {
  return {"postgres",
          {"postgres", testkit::PostgresServer::why_missing},
          [](const std::filesystem::path& directory) {
            return open_postgres(directory, system_clock());
          },
          [](const std::filesystem::path& directory) {
            const std::string schema = schema_of(directory);
            return (*testkit::PostgresServer::shared())
                ->execute("SET search_path = " + schema +
                          "; DROP TABLE outbox, event_order, event_counter, documents;"
                          "ALTER SEQUENCE batches RENAME TO journal_batches;"
                          "DROP TABLE IF EXISTS keys;"  // Of a later migration, likewise.
                          "DELETE FROM schema_migrations WHERE version >= "
                          "(SELECT version FROM schema_migrations WHERE name LIKE '%_events')");
          }};
}

INSTANTIATE_TEST_SUITE_P(postgres, ServerEvents, event_server(postgres()));
INSTANTIATE_TEST_SUITE_P(postgres, ServerTurns, event_server(postgres()));

}  // namespace
}  // namespace mizan::conformance
