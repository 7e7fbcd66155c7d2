#pragma once

#include "cli/backend.hpp"
#include "remote/server.hpp"

#include <memory>

namespace mizan::remote {

/// Each read is a question of its own. The server must outlive it.
[[nodiscard]] std::unique_ptr<cli::Reader> make_reader(Server& server);

/// The currency of the wallet that holds the money, where the shape of a hold does not tell it.
/// Left empty where nobody answers: it only matters for how amounts are shown.
void find_currency_of(Hold& hold, cli::Reader& reader);

}  // namespace mizan::remote
