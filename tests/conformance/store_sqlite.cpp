#include "mizan/sqlite.hpp"

#include "tests/conformance/store_fixture.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

StoreCandidate sqlite() {
  StoreCandidate candidate;
  candidate.name = "sqlite";
  candidate.open = [](const StorePlace& place) {
    SqliteOptions options;
    options.file = place.directory / "ledger.db";
    options.on_step = place.on_step;
    return open_sqlite_store(options, *place.clock);
  };
  candidate.persistent = true;
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(sqlite, StoreConformance, store_candidate(sqlite()), name_of);
INSTANTIATE_TEST_SUITE_P(sqlite, LedgerConformance, with_every_strategy(sqlite()), ledger_name_of);

}  // namespace
}  // namespace mizan::conformance
