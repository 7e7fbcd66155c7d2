#include "store/sqlite/batch.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/error_map.hpp"
#include "store/sqlite/sqlite_sql.hpp"

#include <sqlite3.h>

#include <memory>
#include <new>

namespace mizan::sqlite {
namespace {

/// What one virtual table shows of the batch.
struct Source {
  const char* name;
  std::string_view declaration;  ///< Its columns, for sqlite3_declare_vtab.
  std::size_t (*rows)(const Batch& batch);
  void (*column)(sqlite3_context* context, const Batch& batch, std::size_t row, int column);
};

struct Shown {
  const Batch& batch;
  const Source& source;
};

// SQLite's interface is one of C structures that begin with its own; ours follow inside them.
struct Table {
  sqlite3_vtab base{};
  const Shown* shown = nullptr;
};

struct Cursor {
  sqlite3_vtab_cursor base{};
  const Shown* shown = nullptr;
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
void journal_column(sqlite3_context* context, const Batch& batch, std::size_t index, int number) {
  const JournalRow& row = batch.journal[index];
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
      result_texts_column(context, batch, row, number);
      break;
    default:
      result_leg_column(context, row, number);
  }
}

std::size_t journal_rows(const Batch& batch) {
  return batch.journal.size();
}

/// In the order of declare_batch_balances.sql.
void balances_column(sqlite3_context* context, const Batch& batch, std::size_t index, int number) {
  const BalanceRow& row = batch.balances[index];
  constexpr int min_balance = 3;
  if (number == min_balance) {
    if (row.min_balance) sqlite3_result_int64(context, *row.min_balance);
    return;
  }
  const std::int64_t* const values[] = {&row.wallet,
                                        &row.balance,
                                        &row.held,
                                        nullptr,
                                        &row.status,
                                        &row.version,
                                        &row.revision_after,
                                        &row.head,
                                        &row.block};
  sqlite3_result_int64(context, *values[number]);
}

std::size_t balances_rows(const Batch& batch) {
  return batch.balances.size();
}

const Source journal_source{
    "batch_journal", sqlite_sql::declare_batch_journal, journal_rows, journal_column};
const Source balances_source{
    "batch_balances", sqlite_sql::declare_batch_balances, balances_rows, balances_column};

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
  const Cursor& cursor = cursor_of(base);
  cursor.shown->source.column(context, cursor.shown->batch, cursor.row, number);
  return SQLITE_OK;
}

// NOLINTNEXTLINE(readability-function-size): the signature is SQLite's.
int connect(sqlite3* database,
            void* shown,
            int /*count*/,
            const char* const* /*arguments*/,
            sqlite3_vtab** out,
            char** /*message*/) {
  const auto* source = static_cast<const Shown*>(shown);
  const std::string declaration(source->source.declaration);
  if (const int code = sqlite3_declare_vtab(database, declaration.c_str()); code != SQLITE_OK) {
    return code;
  }
  sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
  auto* table = new (std::nothrow) Table;
  if (table == nullptr) return SQLITE_NOMEM;
  table->shown = source;
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
  cursor->shown = reinterpret_cast<Table*>(table)->shown;
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
  return cursor.row >= cursor.shown->source.rows(cursor.shown->batch) ? 1 : 0;
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(cursor_of(base).row);
  return SQLITE_OK;
}

/// Without xCreate a module is a table of its own name and no other.
const sqlite3_module& batch_module() {
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

/// is_continued(wallet, revision, balance, version): is what is stored of a wallet what its row of
/// the batch was made from? Asked in order of wallets, as the rows are.
void is_continued(sqlite3_context* context, int /*count*/, sqlite3_value** stored) {
  Batch& batch = *static_cast<Batch*>(sqlite3_user_data(context));
  const std::int64_t wallet = sqlite3_value_int64(stored[0]);
  while (batch.checked < batch.balances.size() && batch.balances[batch.checked].wallet < wallet) {
    ++batch.checked;
  }
  const bool is_due =
      batch.checked < batch.balances.size() && batch.balances[batch.checked].wallet == wallet;
  if (!is_due) {
    sqlite3_result_error(context, "is_continued: asked out of order", -1);
    return;
  }
  const BalanceRow& row = batch.balances[batch.checked];
  const bool is_current = row.revision_before == sqlite3_value_int64(stored[1]);
  const bool fits = row.balance_before == sqlite3_value_int64(stored[2]) &&
                    row.version_before == sqlite3_value_int64(stored[3]);
  if (is_current && fits) {
    ++batch.continued;
  } else {
    (is_current ? batch.broken : batch.stale).emplace_back(wallet);
  }
  sqlite3_result_int(context, is_current && fits ? 1 : 0);
}

}  // namespace

void Batch::clear() {
  checked = 0;
  continued = 0;
  stale.clear();
  broken.clear();
  journal.clear();
  balances.clear();
  texts.clear();
}

Status register_batch_tables(Connection& connection, Batch& batch) {
  for (const Source* source : {&journal_source, &balances_source}) {
    auto shown = std::make_unique<Shown>(Shown{batch, *source});
    const auto forget = [](void* pointer) { delete static_cast<Shown*>(pointer); };
    // SQLite calls `forget` at the end, and also where this fails.
    const int code = sqlite3_create_module_v2(
        connection.handle(), source->name, &batch_module(), shown.release(), forget);
    if (code != SQLITE_OK) return map_error(code, "register batch", connection.message());
  }
  const int code = sqlite3_create_function_v2(connection.handle(),
                                              "is_continued",
                                              4,
                                              SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                              &batch,
                                              is_continued,
                                              nullptr,
                                              nullptr,
                                              nullptr);
  if (code != SQLITE_OK) return map_error(code, "register batch", connection.message());
  note_use(sqlite_sql::declare_batch_journal);
  note_use(sqlite_sql::declare_batch_balances);
  return {};
}

}  // namespace mizan::sqlite
