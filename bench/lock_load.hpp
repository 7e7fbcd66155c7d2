#pragma once

#include "mizan/lease_table.hpp"
#include "mizan/lock.hpp"
#include "mizan/result.hpp"

#include "bench/histogram.hpp"
#include "bench/load.hpp"

#include <cstddef>
#include <cstdint>

namespace mizan::bench {

/// Callers that acquire and release a resource of their own, again and again; `transfers` of the
/// result are pairs.
[[nodiscard]] Result<LoadResult> run_lock_pairs(LockService& service,
                                                std::size_t callers,
                                                const Limits& limits);

/// Many leases held at once, renewed by the service itself.
struct RenewalResult {
  LoadResult renewals;  ///< Latency: of the exchange with the table.
  std::size_t lost = 0;
};

/// `table` is the service's own table; the leases live a second.
[[nodiscard]] Result<RenewalResult> run_renewals(LeaseTable& table,
                                                 std::size_t leases,
                                                 double seconds);

/// How long after a release the waiter has the lock; `transfers` of the result are hand-overs.
[[nodiscard]] Result<LoadResult> run_hand_overs(LockService& service, std::size_t count);

}  // namespace mizan::bench
