#pragma once

#include "mizan/result.hpp"

#include "store/mariadb/session.hpp"

#include <string>
#include <vector>

namespace mizan::mariadb {

[[nodiscard]] std::int64_t newest_schema_version() noexcept;

/// `invalid_request`, saying what to run, where the ledger's tables are missing or of another
/// version than this program needs.
[[nodiscard]] Status require_schema(Session& session);

/// Do our guards' row counts mean what we take them to mean? To be asked once per store, when the
/// schema is there; rolls back.
[[nodiscard]] Status test_found_rows(Session& session);

/// Creates the tables or brings them up to date. The server commits each of its steps, so a
/// migration that was interrupted is run again from its beginning; two processes that start at
/// once, also at different nodes of a cluster, run one after the other. Answers the names of the
/// migrations that ran.
[[nodiscard]] Result<std::vector<std::string>> run_migrations(Pool::Lent lent,
                                                              const Clock& clock,
                                                              Deadline deadline);

}  // namespace mizan::mariadb
