#pragma once

#include "mizan/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace mizan::prover {

// Rooms: what a ledger of the prover has to itself on a server. A schema on PostgreSQL, a database
// on MariaDB. From outside of the stores the prover makes them, looks for those whose names begin
// with its own prefix, and drops those and nothing else. `url` is that of a store.

/// How many there are. Blocks: up to 10 s for the connection.
[[nodiscard]] Result<std::size_t> count_rooms(const std::string& url, std::string_view prefix);

/// Makes sure that it is there.
[[nodiscard]] Status make_room(const std::string& url, const std::string& name);

/// Drops them, one after the other; waits up to a minute for those who still use one.
[[nodiscard]] Status drop_rooms(const std::string& url, std::string_view prefix);

}  // namespace mizan::prover
