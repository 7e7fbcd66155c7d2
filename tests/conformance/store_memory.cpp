#include "mizan/memory.hpp"

#include "tests/conformance/store_fixture.hpp"
#include "tests/conformance/store_ledger_fixture.hpp"

#include <gtest/gtest.h>

namespace mizan::conformance {
namespace {

StoreCandidate memory() {
  StoreCandidate candidate;
  candidate.name = "memory";
  candidate.open = [](const StorePlace& place) -> Result<std::unique_ptr<Store>> {
    return make_memory_store(*place.clock, place.on_step);
  };
  return candidate;
}

INSTANTIATE_TEST_SUITE_P(memory, StoreConformance, store_candidate(memory()), name_of);
INSTANTIATE_TEST_SUITE_P(memory, LedgerConformance, with_every_strategy(memory()), ledger_name_of);

}  // namespace
}  // namespace mizan::conformance
