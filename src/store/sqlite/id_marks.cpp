#include "store/sqlite/id_marks.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/operation_key.hpp"
#include "store/sqlite/sqlite_sql.hpp"

namespace mizan::sqlite {
namespace {

Status load_mark(Connection& connection, std::string_view sql, OperationId& mark) {
  Statement statement = connection.statement(sql);
  auto found = statement.step();
  if (!found) return found.error();
  mark = *found ? read_operation_id(statement, 0) : OperationId();
  return {};
}

}  // namespace

Status IdMarks::load(Connection& connection) {
  Status text = load_mark(connection, sqlite_sql::read_greatest_text_id, text_);
  if (!text) return text;
  return load_mark(connection, sqlite_sql::read_greatest_packed_id, uuid_);
}

bool IdMarks::is_new(const OperationId& id) const noexcept {
  const bool above_uuids = uuid_ < id;
  const bool above_texts = text_ < id;
  if (above_uuids && above_texts) return true;
  if (!above_uuids && !above_texts) return false;
  return sql::pack_uuid(id.view()) ? above_uuids : above_texts;
}

void IdMarks::raise(const std::vector<JournalRow>& rows) noexcept {
  for (const JournalRow& row : rows) {
    if (row.id == nullptr) continue;
    OperationId& mark = row.packed_id ? uuid_ : text_;
    if (mark < *row.id) mark = *row.id;
  }
}

}  // namespace mizan::sqlite
