#pragma once

#include "mizan/result.hpp"

#include "cli/backend.hpp"
#include "remote/server.hpp"

#include <memory>

namespace mizan::remote {

/// The journal of a server, from its events: in their order, which is that of the entries along
/// each wallet, up to a moment of the reading. Both must outlive it.
[[nodiscard]] std::unique_ptr<cli::Journal> read_journal(Server& server, cli::Reader& reader);

}  // namespace mizan::remote
