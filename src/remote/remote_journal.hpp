#pragma once

#include "cli/backend.hpp"

#include <memory>

namespace mizan::remote {

/// The journal put together from the wallets' entries, which are read page by page while others
/// write: whole operations only, of each wallet all up to some version, in an order in which each
/// comes after those that it builds on (by time where they do not). Sequences are not known.
/// Memory: the operation ids of all entries. Blocks: a request per page and one per operation.
[[nodiscard]] Result<std::unique_ptr<cli::Journal>> read_journal(cli::Reader& reader);

}  // namespace mizan::remote
