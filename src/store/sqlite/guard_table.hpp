#pragma once

#include "mizan/sql.hpp"

#include "store/sqlite/reader_pool.hpp"
#include "store/sqlite/writer.hpp"

namespace mizan::sqlite {

/// Admissions of the user's own operations, and their SQL in the same file. Any thread may call.
class SqliteGuardTable final : public GuardTable {
 public:
  /// `writer` is null for a reader beside an owner.
  SqliteGuardTable(Writer* writer, ReaderPool& readers) noexcept
      : writer_(writer), readers_(readers) {}

  Result<std::optional<GuardRecord>> find(const OperationId& id) override;
  Result<std::unique_ptr<GuardTransaction>> begin(Deadline deadline) override;

 private:
  Writer* writer_;
  ReaderPool& readers_;
};

}  // namespace mizan::sqlite
