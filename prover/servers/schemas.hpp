#pragma once

#include "mizan/postgres.hpp"
#include "mizan/result.hpp"

#include <cstddef>
#include <string_view>

namespace mizan::prover {

// What the prover does to a PostgreSQL database from outside of the store: it looks for schemas
// whose names begin with its own prefix, and drops those and nothing else.

/// How many there are. Blocks: up to 10 s for the connection.
[[nodiscard]] Result<std::size_t> count_schemas(const PostgresOptions& options,
                                                std::string_view prefix);

/// Drops them, one transaction each; waits up to a minute for those who still use one.
[[nodiscard]] Status drop_schemas(const PostgresOptions& options, std::string_view prefix);

}  // namespace mizan::prover
