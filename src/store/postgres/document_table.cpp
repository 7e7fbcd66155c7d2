#include "store/postgres/document_table.hpp"

#include "store/postgres/postgres_sql.hpp"
#include "store/postgres/session.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace mizan::postgres {
namespace {

constexpr std::chrono::seconds patience{10};

Document read_document(const Row& row) {
  return {std::string(row.text(0)),
          static_cast<std::uint64_t>(row.integer(1)),
          std::string(row.text(2))};
}

}  // namespace

Result<Answer> PostgresDocumentTable::run(std::string_view statement,
                                          const Parameters& parameters) {
  const Deadline deadline = std::min<Deadline>(end_, clock_.now() + patience);
  auto lent = pool_.lend(deadline);
  if (!lent) return lent.error();
  Session session(std::move(*lent), clock_, deadline, Session::Kind::write);
  auto answer = session.ask(statement, parameters);
  if (!answer) return answer.error();
  if (Status committed = session.commit(); !committed) return committed.error();
  return answer;
}

Result<std::optional<Document>> PostgresDocumentTable::find(std::string_view kind,
                                                            std::string_view name) {
  Parameters parameters;
  parameters.text(kind).text(name);
  auto answer = run(postgres_sql::find_document, parameters);
  if (!answer) return answer.error();
  if (answer->empty()) return std::optional<Document>();
  return std::optional(read_document(Row(*answer, 0)));
}

Result<std::vector<Document>> PostgresDocumentTable::list(std::string_view kind,
                                                          std::string_view after,
                                                          std::size_t limit) {
  Parameters parameters;
  parameters.text(kind).text(after).integer(static_cast<std::int64_t>(limit));
  auto answer = run(postgres_sql::list_documents, parameters);
  if (!answer) return answer.error();
  std::vector<Document> documents;
  documents.reserve(static_cast<std::size_t>(answer->size()));
  for (int i = 0; i < answer->size(); ++i) documents.push_back(read_document(Row(*answer, i)));
  return documents;
}

Result<bool> PostgresDocumentTable::write(std::string_view kind, const Document& document) {
  if (Status valid = check_document(kind, document); !valid) return valid.error();
  Parameters parameters;
  parameters.text(kind).text(document.name).text(document.content);
  const bool is_new = document.revision == 0;
  if (!is_new) parameters.integer(static_cast<std::int64_t>(document.revision));
  auto answer =
      run(is_new ? postgres_sql::insert_document : postgres_sql::change_document, parameters);
  if (!answer) return answer.error();
  return answer->affected() == 1;
}

Result<bool> PostgresDocumentTable::remove(std::string_view kind, std::string_view name) {
  Parameters parameters;
  parameters.text(kind).text(name);
  auto answer = run(postgres_sql::remove_document, parameters);
  if (!answer) return answer.error();
  return answer->affected() == 1;
}

}  // namespace mizan::postgres
