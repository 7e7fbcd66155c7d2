#include "store/mariadb/document_table.hpp"

#include "store/mariadb/mariadb_sql.hpp"
#include "store/mariadb/session.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace mizan::mariadb {
namespace {

constexpr std::chrono::seconds patience{10};

Document read_document(const Row& row) {
  return {std::string(row.text(0)),
          static_cast<std::uint64_t>(row.integer(1)),
          std::string(row.text(2))};
}

}  // namespace

Deadline MariadbDocumentTable::deadline() const {
  return std::min<Deadline>(end_, clock_.now() + patience);
}

Result<Answer> MariadbDocumentTable::run(std::string_view statement, const Parameters& parameters) {
  const Deadline deadline = this->deadline();
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  auto answer = session.ask(statement, parameters);
  if (!answer) return answer.error();
  if (Status committed = session.commit(); !committed) return committed.error();
  return answer;
}

Result<std::optional<Document>> MariadbDocumentTable::find(std::string_view kind,
                                                           std::string_view name) {
  Parameters parameters;
  parameters.text(kind).text(name);
  auto answer = run(mariadb_sql::find_document, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Document>();
  return std::optional(read_document(Row(*answer, 0)));
}

Result<std::vector<Document>> MariadbDocumentTable::list(std::string_view kind,
                                                         std::string_view after,
                                                         std::size_t limit) {
  Parameters parameters;
  parameters.text(kind).text(after).integer(static_cast<std::int64_t>(limit));
  auto answer = run(mariadb_sql::list_documents, parameters);
  if (!answer) return answer.error();
  std::vector<Document> documents;
  for (std::size_t i = 0; i < answer->size(); ++i)
    documents.push_back(read_document(Row(*answer, i)));
  return documents;
}

Result<bool> MariadbDocumentTable::write(std::string_view kind, const Document& document) {
  if (Status valid = check_document(kind, document); !valid) return valid.error();
  Parameters parameters;
  if (document.revision == 0) {
    parameters.text(kind).text(document.name).text(document.content);
    return insert(parameters);
  }
  parameters.text(document.content)
      .text(kind)
      .text(document.name)
      .integer(static_cast<std::int64_t>(document.revision));
  auto answer = run(mariadb_sql::change_document, parameters);
  if (!answer) return answer.error();
  return answer->affected() == 1;
}

Result<bool> MariadbDocumentTable::insert(const Parameters& parameters) {
  const Deadline deadline = this->deadline();
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  auto inserted = session.insert(mariadb_sql::insert_document, parameters);
  if (!inserted || !*inserted) return inserted;
  if (Status committed = session.commit(); !committed) return committed.error();
  return true;
}

Result<bool> MariadbDocumentTable::remove(std::string_view kind, std::string_view name) {
  Parameters parameters;
  parameters.text(kind).text(name);
  auto answer = run(mariadb_sql::remove_document, parameters);
  if (!answer) return answer.error();
  return answer->affected() == 1;
}

}  // namespace mizan::mariadb
