#pragma once

#include "mizan/store.hpp"

#include "store/mariadb/session.hpp"

#include <memory>

namespace mizan::mariadb {

/// Takes the snapshot now: what is committed later is not in it.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> take_snapshot(Session session);

}  // namespace mizan::mariadb
