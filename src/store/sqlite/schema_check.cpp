#include "store/sqlite/schema_check.hpp"

#include "base/text.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mizan::sqlite {
namespace {

struct SchemaObject {
  std::string type;
  std::string name;
  std::string table;
  std::string sql;  // With single spaces.
};

using SchemaObjects = std::vector<SchemaObject>;

/// One space for each run of white space: a copy by way of a dump may be laid out anew.
std::string with_single_spaces(std::string_view sql) {
  std::string text;
  for (const char c : sql) {
    const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_space) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

Result<SchemaObjects> read_objects(Connection& connection) {
  SchemaObjects objects;
  Statement row = connection.statement(sqlite_sql::read_schema);
  for (;;) {
    auto found = row.step();
    if (!found) return found.error();
    if (!*found) return objects;
    objects.push_back({std::string(row.text(0)),
                       std::string(row.text(1)),
                       std::string(row.text(2)),
                       with_single_spaces(row.text(3))});
  }
}

Result<SchemaObjects> objects_of_migrations() {
  auto memory = Connection::open(":memory:", OpenMode::create, nullptr);
  if (!memory) return memory.error();
  auto names = run_migrations(**memory, Timestamp{});
  if (!names) return names.error();
  return read_objects(**memory);
}

const SchemaObject* find(const SchemaObjects& objects,
                         std::string_view type,
                         std::string_view name) {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const SchemaObject& object) {
    return object.type == type && object.name == name;
  });
  return found == objects.end() ? nullptr : &*found;
}

/// A table's rows cannot be made again; an index and a view can.
std::string cure_of(const SchemaObject& wanted) {
  if (wanted.type == "table") {
    return "something else has changed the file; stop, keep a copy, restore from a backup";
  }
  return "with no other program on the file, drop it where it is there and make it again: " +
         wanted.sql;
}

std::string name_of(const SchemaObject& object) {
  return object.type + ' ' + escape_for_log(object.name);
}

}  // namespace

Result<std::vector<SchemaDifference>> compare_schema(Connection& connection) {
  auto wanted = objects_of_migrations();
  if (!wanted) return wanted.error();
  auto actual = read_objects(connection);
  if (!actual) return actual.error();
  std::vector<SchemaDifference> differences;
  for (const SchemaObject& object : *wanted) {
    const SchemaObject* present = find(*actual, object.type, object.name);
    if (present != nullptr && present->sql == object.sql) continue;
    const std::string_view what =
        present == nullptr ? " is missing: " : " is not as the migrations make it: ";
    // Nothing of the program reads the views.
    differences.push_back(
        {"the " + name_of(object) + std::string(what) + cure_of(object), object.type != "view"});
  }
  for (const SchemaObject& object : *actual) {
    const bool is_ours = find(*wanted, object.type, object.name) != nullptr;
    if (is_ours || find(*wanted, "table", object.table) == nullptr) continue;
    differences.push_back({"the " + name_of(object) + " on the table " + object.table +
                               " is not Mizan's, and the table is: drop it",
                           false});
  }
  return differences;
}

Status require_objects(Connection& connection) {
  auto differences = compare_schema(connection);
  if (!differences) return differences.error();
  for (const SchemaDifference& difference : *differences) {
    // As for a file without tables: no repetition helps.
    if (difference.is_vital) return invalid_request("sqlite: schema", difference.detail);
  }
  return {};
}

}  // namespace mizan::sqlite
