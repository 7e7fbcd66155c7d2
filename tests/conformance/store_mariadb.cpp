#include "tests/conformance/mariadb_place.hpp"
#include "tests/conformance/store_fixture.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

StoreCandidate mariadb() {
  StoreCandidate candidate;
  candidate.name = "mariadb";
  candidate.open = [](const StorePlace& place) {
    return open_mariadb(place.directory, *place.clock, place.on_step);
  };
  candidate.persistent = true;
  candidate.needs = {"mariadb", testkit::MariadbServer::why_missing};
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(mariadb, StoreConformance, store_candidate(mariadb()), name_of);
INSTANTIATE_TEST_SUITE_P(mariadb,
                         LedgerConformance,
                         with_every_strategy(mariadb()),
                         ledger_name_of);

}  // namespace
}  // namespace mizan::conformance
