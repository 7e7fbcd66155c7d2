#include "store/sqlite/batch.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/error_map.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <sqlite3.h>

#include <cstring>
#include <new>

namespace mizan::sqlite {
namespace {

// SQLite's interface is one of C structures that begin with its own; ours follow inside them.
struct Table {
  sqlite3_vtab base{};
  const Batch* batch = nullptr;
};

struct Cursor {
  sqlite3_vtab_cursor base{};
  const Batch* batch = nullptr;
  std::size_t row = 0;
};

Cursor& cursor_of(sqlite3_vtab_cursor* base) {
  return *reinterpret_cast<Cursor*>(base);
}

void result_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void result_blob(sqlite3_context* context, std::span<const std::byte> bytes) {
  sqlite3_result_blob(context, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
}

/// Leaving a result unset makes it NULL.
void result_text_unless_empty(sqlite3_context* context, const std::string& text) {
  if (!text.empty()) result_text(context, text);
}

void result_texts_column(sqlite3_context* context,
                         const Batch& batch,
                         const JournalRow& row,
                         int column) {
  if (row.texts == 0) return;
  const JournalTexts& texts = batch.texts[row.texts - 1];
  if (column == 12) result_text_unless_empty(context, texts.subject);
  if (column == 13) result_text_unless_empty(context, texts.refusal);
  if (column == 14) result_text_unless_empty(context, texts.metadata);
}

void result_id(sqlite3_context* context, const JournalRow& row) {
  if (row.id == nullptr) return;
  if (row.packed_id) {
    result_blob(context, *row.packed_id);
  } else {
    result_text(context, row.id->view());
  }
}

void result_leg_column(sqlite3_context* context, const JournalRow& row, int column) {
  if (!row.has_leg) return;
  if (column == 11) {
    result_blob(context, row.links.bytes());
    return;
  }
  const std::int64_t* const values[] = {&row.from_wallet,
                                        &row.to_wallet,
                                        &row.amount,
                                        &row.from_balance,
                                        &row.from_version,
                                        &row.to_balance,
                                        &row.to_version};
  sqlite3_result_int64(context, *values[column - 4]);
}

/// In the order of declare_batch_journal.sql.
int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
  const Cursor& cursor = cursor_of(base);
  const JournalRow& row = cursor.batch->journal[cursor.row];
  switch (number) {
    case 0:
      result_id(context, row);
      break;
    case 1:
      if (row.fingerprint != nullptr) result_blob(context, *row.fingerprint);
      break;
    case 2:
      sqlite3_result_int64(context, row.type);
      break;
    case 3:
      sqlite3_result_int64(context, row.at);
      break;
    case 12:
    case 13:
    case 14:
      result_texts_column(context, *cursor.batch, row, number);
      break;
    default:
      result_leg_column(context, row, number);
  }
  return SQLITE_OK;
}

// NOLINTNEXTLINE(readability-function-size): the signature is SQLite's.
int connect(sqlite3* database,
            void* batch,
            int /*count*/,
            const char* const* /*arguments*/,
            sqlite3_vtab** out,
            char** /*message*/) {
  const std::string declaration(sqlite_sql::declare_batch_journal);
  if (const int code = sqlite3_declare_vtab(database, declaration.c_str()); code != SQLITE_OK) {
    return code;
  }
  sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
  auto* table = new (std::nothrow) Table;
  if (table == nullptr) return SQLITE_NOMEM;
  table->batch = static_cast<const Batch*>(batch);
  *out = &table->base;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* base) {
  delete reinterpret_cast<Table*>(base);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* /*table*/, sqlite3_index_info* plan) {
  plan->estimatedCost = 1000;
  plan->estimatedRows = 1000;
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
  auto* cursor = new (std::nothrow) Cursor;
  if (cursor == nullptr) return SQLITE_NOMEM;
  cursor->batch = reinterpret_cast<Table*>(table)->batch;
  *out = &cursor->base;
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* base) {
  delete reinterpret_cast<Cursor*>(base);
  return SQLITE_OK;
}

// NOLINTNEXTLINE(readability-function-size): the signature is SQLite's.
int filter(sqlite3_vtab_cursor* base,
           int /*plan*/,
           const char* /*name*/,
           int /*count*/,
           sqlite3_value** /*arguments*/) {
  cursor_of(base).row = 0;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
  ++cursor_of(base).row;
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* base) {
  const Cursor& cursor = cursor_of(base);
  return cursor.row >= cursor.batch->journal.size() ? 1 : 0;
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(cursor_of(base).row);
  return SQLITE_OK;
}

/// Without xCreate a module is a table of its own name and no other.
const sqlite3_module& journal_module() {
  static const sqlite3_module module = [] {
    sqlite3_module made{};
    made.xConnect = connect;
    made.xBestIndex = best_index;
    made.xDisconnect = disconnect;
    made.xOpen = open_cursor;
    made.xClose = close_cursor;
    made.xFilter = filter;
    made.xNext = next;
    made.xEof = at_end;
    made.xColumn = column;
    made.xRowid = rowid;
    return made;
  }();
  return module;
}

}  // namespace

void Batch::clear() {
  journal.clear();
  balances.clear();
  texts.clear();
}

Status register_batch_table(Connection& connection, const Batch& batch) {
  // SQLite hands the pointer back as it is and never writes through it.
  void* shared = const_cast<Batch*>(&batch);
  const int code =
      sqlite3_create_module(connection.handle(), "batch_journal", &journal_module(), shared);
  if (code != SQLITE_OK) return map_error(code, "register batch_journal", connection.message());
  note_use(sqlite_sql::declare_batch_journal);
  return {};
}

}  // namespace mizan::sqlite
