#pragma once

#include "mizan/result.hpp"

#include "store/postgres/session.hpp"

#include <string>
#include <vector>

namespace mizan::postgres {

[[nodiscard]] std::int64_t newest_schema_version() noexcept;

/// `invalid_request`, saying what to run, where the ledger's tables are missing or of another
/// version than this program needs.
[[nodiscard]] Status require_schema(Session& session);

/// Creates the schema or brings it up to date, as one transaction; two that start at once run one
/// after the other. Answers the names of the migrations that ran.
[[nodiscard]] Result<std::vector<std::string>> run_migrations(Session session);

}  // namespace mizan::postgres
