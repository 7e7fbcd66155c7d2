// The suite on one node of a cluster: what two nodes do to each other is in galera_nodes.cpp, with
// every strategy. Making a ledger's tables on three nodes takes its time.

#include "tests/conformance/galera_place.hpp"
#include "tests/conformance/store_fixture.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

StoreCandidate galera() {
  StoreCandidate candidate;
  candidate.name = "mariadb_on_galera";
  candidate.open = [](const StorePlace& place) -> Result<std::unique_ptr<Store>> {
    auto cluster = testkit::GaleraCluster::shared();
    if (!cluster) return cluster.error();
    return open_galera((*cluster)->url(0), place.directory, *place.clock, place.on_step);
  };
  candidate.persistent = true;
  candidate.needs = {"galera", testkit::GaleraCluster::why_missing};
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(galera, StoreConformance, store_candidate(galera()), name_of);
INSTANTIATE_TEST_SUITE_P(galera,
                         LedgerConformance,
                         ::testing::Values(LedgerCandidate{galera(), Strategy::batched}),
                         ledger_name_of);

}  // namespace
}  // namespace mizan::conformance
