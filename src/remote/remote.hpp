#pragma once

#include "mizan/clock.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/result.hpp"

#include "base/random.hpp"
#include "cli/backend.hpp"
#include "cli/context.hpp"
#include "webhook/administration.hpp"

#include <memory>

namespace mizan::remote {

/// The machine around the client. Both must outlive what is made with them.
struct Surroundings {
  const Clock& clock;
  Random& random;
};

/// The ledger of a running server. Asks nobody yet.
[[nodiscard]] Result<std::unique_ptr<cli::Backend>> open_backend(const cli::RemotePlace& place,
                                                                 const Surroundings& around);

/// The leases of a running server, for make_lock_service. Asks nobody yet.
[[nodiscard]] Result<std::unique_ptr<LeaseTable>> open_leases(const cli::RemotePlace& place,
                                                              const Surroundings& around);

/// The webhooks of a running server. Asks nobody yet.
[[nodiscard]] Result<std::unique_ptr<webhook::Administration>> open_webhooks(
    const cli::RemotePlace& place, const Surroundings& around);

}  // namespace mizan::remote
