#pragma once

#include "store/memory/tables.hpp"

#include <memory>

namespace mizan::memory {

/// `tables` must outlive the snapshot.
[[nodiscard]] std::unique_ptr<Snapshot> take_snapshot(Tables& tables);

}  // namespace mizan::memory
