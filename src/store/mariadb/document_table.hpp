#pragma once

#include "mizan/clock.hpp"
#include "mizan/document_table.hpp"

#include "store/mariadb/pool.hpp"
#include "store/mariadb/values.hpp"

namespace mizan::mariadb {

/// Documents in the ledger's own database. Each write is a transaction. Any thread may call.
class MariadbDocumentTable final : public DocumentTable {
 public:
  /// What is asked of it ends at `end`, and after ten seconds in any case.
  MariadbDocumentTable(Pool& pool, const Clock& clock, Deadline end = Deadline::max()) noexcept
      : pool_(pool), clock_(clock), end_(end) {}

  Result<std::optional<Document>> find(std::string_view kind, std::string_view name) override;
  Result<std::vector<Document>> list(std::string_view kind,
                                     std::string_view after,
                                     std::size_t limit) override;
  Result<bool> write(std::string_view kind, const Document& document) override;
  Result<bool> remove(std::string_view kind, std::string_view name) override;

 private:
  /// One statement as a transaction of its own.
  [[nodiscard]] Result<Answer> run(std::string_view statement, const Parameters& parameters);
  [[nodiscard]] Deadline deadline() const;
  [[nodiscard]] Result<bool> insert(const Parameters& parameters);

  Pool& pool_;
  const Clock& clock_;
  Deadline end_;
};

}  // namespace mizan::mariadb
