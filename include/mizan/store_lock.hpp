#pragma once

#include "mizan/clock.hpp"
#include "mizan/lock.hpp"
#include "mizan/store.hpp"

#include <memory>

namespace mizan {

/// The lock in the ledger's own database: leases in `store.leases()`, tokens that survive
/// restarts. Needs nothing beside the database, and costs a write there per acquisition, renewal
/// and release. Both must outlive it.
[[nodiscard]] std::unique_ptr<LockService> make_store_lock(Store& store, const Clock& clock);

}  // namespace mizan
