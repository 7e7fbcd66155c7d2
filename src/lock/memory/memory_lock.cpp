#include "mizan/lock.hpp"

#include "lock/core/owning_lock.hpp"
#include "lock/memory/memory_lease_table.hpp"

#include <memory>

namespace mizan {

std::unique_ptr<LockService> make_memory_lock(const Clock& clock) {
  return std::make_unique<lock::OwningLock<lock::MemoryLeaseTable>>("memory", clock);
}

}  // namespace mizan
