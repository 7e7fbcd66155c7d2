#pragma once

#include "mizan/clock.hpp"
#include "mizan/document_table.hpp"

#include "store/sqlite/reader_pool.hpp"
#include "store/sqlite/writer.hpp"

namespace mizan::sqlite {

/// Documents in the ledger's own file. Each write is a durable transaction. Any thread may call.
class SqliteDocumentTable final : public DocumentTable {
 public:
  /// `writer` is null for a reader beside an owner.
  SqliteDocumentTable(Writer* writer, ReaderPool& readers, const Clock& clock) noexcept
      : writer_(writer), readers_(readers), clock_(clock) {}

  Result<std::optional<Document>> find(std::string_view kind, std::string_view name) override;
  Result<std::vector<Document>> list(std::string_view kind,
                                     std::string_view after,
                                     std::size_t limit) override;
  Result<bool> write(std::string_view kind, const Document& document) override;
  Result<bool> remove(std::string_view kind, std::string_view name) override;

 private:
  Writer* writer_;
  ReaderPool& readers_;
  const Clock& clock_;
};

}  // namespace mizan::sqlite
