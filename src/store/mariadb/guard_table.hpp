#pragma once

#include "mizan/sql.hpp"

#include "store/mariadb/pool.hpp"

namespace mizan::mariadb {

/// Admissions of the user's own operations, and their SQL in the same database. Any thread may
/// call.
class MariadbGuardTable final : public GuardTable {
 public:
  MariadbGuardTable(Pool& pool, const Clock& clock) noexcept : pool_(pool), clock_(clock) {}

  Result<std::optional<GuardRecord>> find(const OperationId& id) override;
  Result<std::unique_ptr<GuardTransaction>> begin(Deadline deadline) override;

 private:
  Pool& pool_;
  const Clock& clock_;
};

}  // namespace mizan::mariadb
