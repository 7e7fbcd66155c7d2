#pragma once

#include "mizan/store.hpp"

#include "store/postgres/session.hpp"

#include <memory>

namespace mizan::postgres {

/// Takes the snapshot now: what is committed later is not in it.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> take_snapshot(Session session);

}  // namespace mizan::postgres
