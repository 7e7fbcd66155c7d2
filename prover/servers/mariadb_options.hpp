#pragma once

#include "mizan/mariadb.hpp"
#include "mizan/result.hpp"

#include <string>

namespace mizan::prover {

/// What the URL says, with the password of MYSQL_PWD where it says none.
[[nodiscard]] Result<MariadbOptions> mariadb_options_of(const std::string& url);

}  // namespace mizan::prover
