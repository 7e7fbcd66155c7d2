#pragma once

#include "mizan/postgres.hpp"

#include "store/postgres/connection.hpp"

namespace mizan::postgres {

/// Checks the options, reads the password file.
[[nodiscard]] Result<ConnectionSettings> to_settings(const PostgresOptions& options);

}  // namespace mizan::postgres
