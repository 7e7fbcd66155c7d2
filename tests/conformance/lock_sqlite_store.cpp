#include "mizan/sqlite.hpp"

#include "tests/conformance/lock_store.hpp"

namespace mizan::conformance {
namespace {

Result<std::unique_ptr<Store>> open(const std::filesystem::path& folder, const Clock& clock) {
  SqliteOptions options;
  options.file = folder / "ledger.db";
  return open_sqlite_store(std::move(options), clock);
}

INSTANTIATE_TEST_SUITE_P(sqlite_store,
                         LockConformance,
                         ::testing::Values(store_lock_candidate("sqlite_store", "", open)),
                         candidate_name);

}  // namespace
}  // namespace mizan::conformance
