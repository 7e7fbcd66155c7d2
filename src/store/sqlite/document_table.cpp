#include "store/sqlite/document_table.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <chrono>
#include <string>

namespace mizan::sqlite {
namespace {

constexpr const char* where = "sqlite: documents";
constexpr std::chrono::seconds turn_wait{10};

Document read_document(const Statement& row) {
  return {std::string(row.text(0)),
          static_cast<std::uint64_t>(row.integer(1)),
          std::string(row.text(2))};
}

/// Runs one statement as a transaction; answers whether it changed a row. `bind` gives it its
/// parameters.
template <class Bind>
Result<bool> change(Writer* writer, Deadline deadline, std::string_view statement, Bind bind) {
  if (writer == nullptr) return invalid_request(where, "the file was opened for reading only");
  auto scope = writer->begin(deadline);
  if (!scope) return scope.error();
  {
    Statement run = scope->connection().statement(statement);
    bind(run);
    if (Status ran = run.run(); !ran) return ran.error();
  }
  const bool changed = scope->connection().changes() == 1;
  if (!changed) return false;
  if (Status committed = scope->commit(); !committed) return committed.error();
  return true;
}

}  // namespace

Result<std::optional<Document>> SqliteDocumentTable::find(std::string_view kind,
                                                          std::string_view name) {
  auto lent = readers_.lend();
  if (!lent) return lent.error();
  if (Status whole = lent->require_whole_schema(); !whole) return whole.error();
  Statement row = lent->connection().statement(sqlite_sql::find_document);
  row.bind(1, kind).bind(2, name);
  auto found = row.step();
  if (!found) return found.error();
  if (!*found) return std::optional<Document>();
  return std::optional(read_document(row));
}

Result<std::vector<Document>> SqliteDocumentTable::list(std::string_view kind,
                                                        std::string_view after,
                                                        std::size_t limit) {
  auto lent = readers_.lend();
  if (!lent) return lent.error();
  if (Status whole = lent->require_whole_schema(); !whole) return whole.error();
  Statement row = lent->connection().statement(sqlite_sql::list_documents);
  row.bind(1, kind).bind(2, after).bind(3, static_cast<std::int64_t>(limit));
  std::vector<Document> documents;
  for (;;) {
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) return documents;
    documents.push_back(read_document(row));
  }
}

Result<bool> SqliteDocumentTable::write(std::string_view kind, const Document& document) {
  if (Status valid = check_document(kind, document); !valid) return valid.error();
  const bool is_new = document.revision == 0;
  return change(writer_,
                clock_.now() + turn_wait,
                is_new ? sqlite_sql::insert_document : sqlite_sql::change_document,
                [&](Statement& statement) {
                  statement.bind(1, kind)
                      .bind(2, std::string_view(document.name))
                      .bind(3, std::string_view(document.content));
                  if (!is_new) statement.bind(4, static_cast<std::int64_t>(document.revision));
                });
}

Result<bool> SqliteDocumentTable::remove(std::string_view kind, std::string_view name) {
  return change(
      writer_, clock_.now() + turn_wait, sqlite_sql::remove_document, [&](Statement& statement) {
        statement.bind(1, kind).bind(2, name);
      });
}

}  // namespace mizan::sqlite
