#pragma once

#include "mizan/clock.hpp"
#include "mizan/key_table.hpp"

#include "store/sqlite/reader_pool.hpp"
#include "store/sqlite/writer.hpp"

namespace mizan::sqlite {

/// The keys of the HTTP interface in the ledger's own file. Any thread may call.
class SqliteKeyTable final : public KeyTable {
 public:
  /// `writer` is null for a reader beside an owner.
  SqliteKeyTable(Writer* writer, ReaderPool& readers, const Clock& clock) noexcept
      : writer_(writer), readers_(readers), clock_(clock) {}

  Status add(const KeyRecord& key) override;
  Result<std::vector<KeyRecord>> list() override;
  Result<bool> revoke(const std::string& id, Timestamp at) override;

 private:
  [[nodiscard]] Result<WriteScope> begin();

  Writer* writer_;
  ReaderPool& readers_;
  const Clock& clock_;
};

}  // namespace mizan::sqlite
