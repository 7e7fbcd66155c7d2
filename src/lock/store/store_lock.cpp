#include "mizan/store_lock.hpp"

namespace mizan {

std::unique_ptr<LockService> make_store_lock(Store& store, const Clock& clock) {
  return make_lock_service("store", store.leases(), clock);
}

}  // namespace mizan
