#pragma once

#include "mizan/store.hpp"

#include "store/mariadb/doctor.hpp"

#include <vector>

namespace mizan::mariadb {

/// What a Galera node's settings and state mean for money; that there is none where it is no node.
[[nodiscard]] std::vector<Finding> judge_node(const ServerSettings& settings);

/// Tables of the database that a cluster does not keep the same on every node.
[[nodiscard]] Result<Finding> find_unsafe_tables(Session& session);

}  // namespace mizan::mariadb
