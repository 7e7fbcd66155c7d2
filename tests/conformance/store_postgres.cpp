#include "tests/conformance/postgres_place.hpp"
#include "tests/conformance/store_fixture.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

StoreCandidate postgres() {
  StoreCandidate candidate;
  candidate.name = "postgres";
  candidate.open = [](const StorePlace& place) {
    return open_postgres(place.directory, *place.clock, place.on_step);
  };
  candidate.persistent = true;
  candidate.needs = {"postgres", testkit::PostgresServer::why_missing};
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(postgres, StoreConformance, store_candidate(postgres()), name_of);
INSTANTIATE_TEST_SUITE_P(postgres,
                         LedgerConformance,
                         with_every_strategy(postgres()),
                         ledger_name_of);

}  // namespace
}  // namespace mizan::conformance
