#pragma once

#include "mizan/mariadb.hpp"

#include "store/mariadb/connection.hpp"

namespace mizan::mariadb {

/// Checks the options, finds the password.
[[nodiscard]] Result<ConnectionSettings> to_settings(const MariadbOptions& options);

}  // namespace mizan::mariadb
