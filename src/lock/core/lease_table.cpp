#include "mizan/lease_table.hpp"

#include "mizan/clock.hpp"

namespace mizan {

LeaseTable::~LeaseTable() = default;

void LeaseTable::wait_for_release(const Resource& /*resource*/,
                                  std::chrono::milliseconds until_at_most) {
  const Clock& clock = system_clock();
  clock.sleep_until(clock.now() + until_at_most);
}

}  // namespace mizan
