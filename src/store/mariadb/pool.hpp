#pragma once

#include "store/mariadb/connection.hpp"
#include "store/sql/connection_pool.hpp"

namespace mizan::mariadb {

using Pool = sql::ConnectionPool<Connection, ConnectionSettings>;

}  // namespace mizan::mariadb
