#include "store/sqlite/error_map.hpp"

#include "base/text.hpp"

#include <sqlite3.h>

#include <optional>
#include <string>

namespace mizan::sqlite {
namespace {

struct Meaning {
  Code code = Code::internal;
  Retry retry = Retry::never;
  std::string_view advice;
};

constexpr Meaning busy(Retry retry, std::string_view advice) {
  return {Code::contended, retry, advice};
}

constexpr Meaning unreachable(Retry retry, std::string_view advice) {
  return {Code::unavailable, retry, advice};
}

/// Only another request, or somebody's hand, can help.
constexpr Meaning refused(std::string_view advice) {
  return {Code::invalid_request, Retry::never, advice};
}

constexpr Meaning damaged(std::string_view advice) {
  return {Code::internal, Retry::never, advice};
}

/// The codes whose extended form means something of its own.
std::optional<Meaning> extended_meaning(int code) {
  switch (code) {
    case SQLITE_BUSY_SNAPSHOT:
      return busy(Retry::now, "another writer came between; the transaction is run again");
    case SQLITE_IOERR_NOMEM:
      return unreachable(Retry::after_backoff, "the process is out of memory");
    case SQLITE_IOERR_SHMSIZE:
      return unreachable(Retry::after_backoff,
                         "there is no room for the WAL's index (-shm), which readers need too; is "
                         "the disk full?");
    case SQLITE_IOERR_CORRUPTFS:
      return damaged("the file system is damaged; restore from a backup");
    case SQLITE_READONLY_RECOVERY:
    case SQLITE_READONLY_CANTINIT:
    case SQLITE_READONLY_CANTLOCK:
    case SQLITE_READONLY_DBMOVED:
      return unreachable(Retry::after_backoff,
                         "the WAL's index cannot be written, or the file was moved");
    case SQLITE_READONLY_DIRECTORY:
      return refused(
          "without an owner SQLite makes files beside the database (-wal, -shm), and this process "
          "may not write to its folder; run it as a user who may, or while an owner has the ledger "
          "open, or copy the ledger into a folder of your own");
    case SQLITE_CANTOPEN_ISDIR:
      return refused("a folder is no database; name a file");
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return Meaning{Code::internal, Retry::never, "a row of that key was not expected"};
    default:
      return std::nullopt;
  }
}

Meaning meaning_of(int extended_code) {
  if (const auto meaning = extended_meaning(extended_code)) return *meaning;
  switch (extended_code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return busy(Retry::after_backoff,
                  "another program holds the database's lock; is a shell open on the file?");
    case SQLITE_SCHEMA:
      return busy(Retry::now, "the schema changed meanwhile; the transaction is run again");
    case SQLITE_FULL:
      return unreachable(Retry::after_backoff, "the disk is full; free some space");
    case SQLITE_IOERR:
      return unreachable(Retry::after_backoff,
                         "the disk or the file system failed; see the system's log");
    case SQLITE_CANTOPEN:
      return unreachable(Retry::after_backoff,
                         "the file cannot be opened; check the path and the folder's permissions");
    case SQLITE_READONLY:
      return refused("the file or its folder cannot be written; check the permissions");
    case SQLITE_PERM:
      return refused("access was denied; check the permissions");
    case SQLITE_NOTADB:
      return refused("the file is not an SQLite database; name another file");
    case SQLITE_CORRUPT:
      return damaged("the file is damaged; stop, keep a copy, restore from a backup");
    case SQLITE_PROTOCOL:
    case SQLITE_NOLFS:
      return unreachable(Retry::never,
                         "the file system cannot lock or hold the file; use a local disk");
    case SQLITE_NOMEM:
      return unreachable(Retry::after_backoff, "the process is out of memory");
    case SQLITE_INTERRUPT:
    case SQLITE_ABORT:
      return unreachable(Retry::after_backoff, "the statement was stopped");
    case SQLITE_CONSTRAINT:
      return {Code::internal,
              Retry::never,
              "invariant alarm: a constraint caught what the money rules let through"};
    default:
      return {};
  }
}

std::string describe(std::string_view advice, std::string_view message, int extended_code) {
  std::string text(advice);
  if (!text.empty()) text += ": ";
  text += escape_for_log(message);
  text += " (SQLite code " + std::to_string(extended_code) + ")";
  return text;
}

}  // namespace

Error map_error(int extended_code, std::string_view where, std::string_view message) {
  const Meaning meaning = meaning_of(extended_code);
  return {meaning.code,
          Certainty::not_applied,
          meaning.retry,
          "sqlite: " + std::string(where),
          describe(meaning.advice, message, extended_code)};
}

Error map_commit_error(int extended_code, CommitState state, std::string_view message) {
  Error error = map_error(extended_code, "commit", message);
  if (state == CommitState::open) return error;
  error.code = Code::unknown;
  error.certainty = Certainty::unknown;
  error.retry = Retry::after_backoff;
  return error;
}

Error map_user_error(int extended_code, std::string_view message) {
  switch (extended_code & 0xff) {
    case SQLITE_ERROR:
    case SQLITE_AUTH:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
    case SQLITE_TOOBIG:
      return invalid_request("sqlite: guarded statement", describe("", message, extended_code));
    default:
      return map_error(extended_code, "guarded statement", message);
  }
}

bool is_duplicate(int extended_code) noexcept {
  return extended_code == SQLITE_CONSTRAINT_UNIQUE || extended_code == SQLITE_CONSTRAINT_PRIMARYKEY;
}

}  // namespace mizan::sqlite
