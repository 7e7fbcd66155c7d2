#include "mizan/lease_table.hpp"

#include "mizan/clock.hpp"

namespace mizan {

LeaseTable::~LeaseTable() = default;

Result<LeaseAttempt> LeaseTable::acquire_within(const Resource& resource,
                                                const LockOwner& owner,
                                                std::chrono::milliseconds ttl,
                                                std::chrono::milliseconds /*limit*/) {
  return acquire(resource, owner, ttl);
}

Result<Renewal> LeaseTable::extend(const Resource& resource,
                                   const LockOwner& owner,
                                   std::chrono::milliseconds ttl) {
  const auto renewed = renew(resource, owner, ttl);
  if (!renewed) return renewed.error();
  return *renewed ? Renewal::extended : Renewal::not_mine;
}

Result<bool> LeaseTable::renew_within(const Resource& resource,
                                      const LockOwner& owner,
                                      std::chrono::milliseconds ttl,
                                      std::chrono::milliseconds /*limit*/) {
  return renew(resource, owner, ttl);
}

Result<bool> LeaseTable::release_within(const Resource& resource,
                                        const LockOwner& owner,
                                        std::chrono::milliseconds /*limit*/) {
  return release(resource, owner);
}

void LeaseTable::wait_for_release(const Resource& /*resource*/,
                                  std::chrono::milliseconds until_at_most) {
  const Clock& clock = system_clock();
  clock.sleep_until(clock.now() + until_at_most);
}

}  // namespace mizan
