#pragma once

#include "store/postgres/connection.hpp"
#include "store/sql/connection_pool.hpp"

namespace mizan::postgres {

using Pool = sql::ConnectionPool<Connection, ConnectionSettings>;

}  // namespace mizan::postgres
