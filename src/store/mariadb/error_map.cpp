#include "store/mariadb/error_map.hpp"

#include "base/one_line.hpp"

#include <algorithm>
#include <iterator>

namespace mizan::mariadb {
namespace {

struct Meaning {
  Code code = Code::internal;
  Retry retry = Retry::never;
  std::string_view advice;
};

/// What a code says when it is the answer to COMMIT.
enum class AtCommit : bool {
  doubtful,
  refused,  ///< Nothing was applied.
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the number leads each row
struct Row {
  std::uint32_t number = 0;
  Meaning meaning;
  AtCommit at_commit = AtCommit::doubtful;
};

constexpr Meaning again(std::string_view advice) {
  return {Code::contended, Retry::now, advice};
}

constexpr Meaning away(std::string_view advice) {
  return {Code::unavailable, Retry::after_backoff, advice};
}

/// Before COMMIT a lost link means that nothing was applied, and a new one is made at once.
constexpr Meaning lost(std::string_view advice) {
  return {Code::unavailable, Retry::now, advice};
}

constexpr Meaning refused(std::string_view advice) {
  return {Code::invalid_request, Retry::never, advice};
}

constexpr Meaning alarm() {
  return {Code::internal,
          Retry::never,
          "invariant alarm: a constraint caught what the money rules let through"};
}

constexpr Meaning broken(std::string_view advice) {
  return {Code::internal, Retry::never, advice};
}

constexpr std::string_view no_ledger = "there is no ledger in the database yet; run `mizan init`";
constexpr std::string_view no_entry =
    "the server does not let us in; check user, password and the user's host";
constexpr std::string_view no_privilege = "the user lacks a privilege on the ledger's tables";

/// docs/guides/mariadb.md shows the same table.
constexpr Row rows[] = {
    // Somebody else was in the way: the whole transaction again.
    {1213,
     again("a deadlock, or a conflict with another node; it is run again"),
     AtCommit::refused},
    // No COMMIT of one server waits for a lock; that of a cluster's node may wait for the others.
    {1205, again("a lock was not free in time; the transaction is run again")},
    {1020,
     again("a row changed since it was read; the transaction is run again"),
     AtCommit::refused},
    {1969, again("a statement took too long; the transaction is run again")},
    {1317, again("a statement was interrupted; the transaction is run again")},
    {1412, again("a table was changed meanwhile; the transaction is run again")},
    {1615, again("a table was changed meanwhile; the transaction is run again")},
    {1243, again("the prepared statement is not there: a proxy stands in between")},
    // A second net.
    {1062, broken("a row of that key was not expected"), AtCommit::refused},
    {4025, alarm(), AtCommit::refused},
    {1048, alarm(), AtCommit::refused},
    {1264, alarm(), AtCommit::refused},
    {1690, alarm(), AtCommit::refused},
    {1406, alarm(), AtCommit::refused},
    {1451, alarm(), AtCommit::refused},
    {1452, alarm(), AtCommit::refused},
    {1366, refused("the text is not valid UTF-8")},
    // Nobody there.
    {2000, away("the library that speaks to the server failed")},
    {2002, away("the server cannot be reached")},
    {2003, away("the server cannot be reached")},
    {2005, away("the server's name is unknown")},
    {2006, lost("the link to the server was lost")},
    {2012, away("the server does not greet us")},
    {2013, lost("the link to the server was lost")},
    {2014, broken("an answer was left unread")},
    {2026, away("the encrypted link cannot be made")},
    {2027, lost("the server's answer is damaged")},
    {2055, lost("the link to the server was lost")},
    {1040, away("the server has no connection left; raise max_connections or use fewer")},
    {1041, away("the server is out of memory")},
    {1203, away("the user has all the connections it may have")},
    {1226, away("the user has used up what it may use of the server")},
    {1461,
     away("the server holds as many prepared statements as it may; raise "
          "max_prepared_stmt_count")},
    {1047, away("the node is not part of its cluster's majority")},
    {1290, away("the server is read only; is it a replica?"), AtCommit::refused},
    {1792, away("the transaction may only read"), AtCommit::refused},
    {1836, away("the server is read only; is it a replica?"), AtCommit::refused},
    {1021, away("the server's disk is full; free some space")},
    {1114, away("the table is full; free some space")},
    {1053, lost("the server is shutting down")},
    {1077, lost("the server is shutting down")},
    {1152, lost("the server gave up the link")},
    {1158, lost("the server could not read from the link")},
    {1159, lost("the server waited for too long to read from the link")},
    {1160, lost("the server could not write to the link")},
    {1161, lost("the server waited for too long to write to the link")},
    {1927, lost("somebody ended the session")},
    {4031, lost("the session was idle for too long; the server ended it")},
    {1129, away("the server blocks this machine after many failed connections")},
    // Something to mend.
    {1044, refused(no_entry)},
    {1045, refused(no_entry)},
    {1130, refused(no_entry)},
    {1251, refused(no_entry)},
    {1524, refused(no_entry)},
    {1698, refused(no_entry)},
    {2059, refused("the user's way to prove who it is is not one that is safe here")},
    {1049, refused("there is no such database; create it, or mend the URL")},
    {1046, refused("the URL names no database")},
    {1665, refused("binlog_format must be ROW or MIXED")},
    {1142, refused(no_privilege)},
    {1143, refused(no_privilege)},
    {1227, refused(no_privilege)},
    {1370, refused(no_privilege)},
    {1146, refused(no_ledger)},
    {1305, refused(no_ledger)},
    {4091, refused(no_ledger)},
    {1153, broken("a statement is longer than max_allowed_packet; raise it to 16M")},
    {2020, broken("a statement is longer than max_allowed_packet; raise it to 16M")},
    {1032, broken("the data is damaged; stop, keep a copy, restore")},
    {1034, broken("an index is damaged; stop, keep a copy, restore")},
    {1712, broken("an index is damaged; stop, keep a copy, restore")},
    {1877, broken("a table is damaged; stop, keep a copy, restore")},
    {4084, broken("the ledger's transaction numbers are used up")},
};

const Row* find_row(std::uint32_t number) {
  const auto* found = std::find_if(
      std::begin(rows), std::end(rows), [number](const Row& row) { return row.number == number; });
  return found == std::end(rows) ? nullptr : found;
}

/// Of an encrypted link that cannot be made: the library has one number for what passes and for
/// what somebody has to mend.
bool is_distrust(const Failure& failure) {
  constexpr std::uint32_t no_encryption = 2026;
  constexpr std::string_view words[] = {
      "certificate", "Certificate", "No such file", "Validation", "verif", "file"};
  return failure.number == no_encryption &&
         std::any_of(std::begin(words), std::end(words), [&failure](std::string_view word) {
           return failure.message.find(word) != std::string::npos;
         });
}

std::string describe(std::string_view advice, const Failure& failure) {
  std::string text(advice);
  if (!text.empty() && !failure.message.empty()) text += ": ";
  text += one_line(failure.message);
  return text + " (error " + std::to_string(failure.number) + ")";
}

}  // namespace

Error map_error(const Failure& failure, std::string_view where) {
  const Row* row = find_row(failure.number);
  Meaning meaning = row == nullptr ? Meaning{} : row->meaning;
  if (is_distrust(failure)) {
    meaning = refused(
        "the link cannot be encrypted as the URL wants it; check tls, tls_ca, and for which host "
        "the server's certificate is");
  }
  return {meaning.code,
          Certainty::not_applied,
          meaning.retry,
          "mariadb: " + std::string(where),
          describe(meaning.advice, failure)};
}

Error map_commit_error(const Failure& failure) {
  // The savepoint of the transaction's beginning is gone, and so is the transaction
  // (begin_node.sql).
  constexpr std::uint32_t no_savepoint = 1305;
  if (failure.number == no_savepoint) {
    return {Code::contended,
            Certainty::not_applied,
            Retry::now,
            "mariadb: commit",
            "another node's change overtook the transaction; it is run again"};
  }
  const Row* row = find_row(failure.number);
  if (row != nullptr && row->at_commit == AtCommit::refused) return map_error(failure, "commit");
  return {Code::unknown,
          Certainty::unknown,
          Retry::after_backoff,
          "mariadb: commit",
          describe("whether the transaction was committed could not be learnt", failure)};
}

Error map_user_error(const Failure& failure) {
  constexpr std::uint32_t authors[] = {1048, 1054, 1062, 1064, 1136, 1142, 1146, 1166,
                                       1210, 1241, 1242, 1264, 1292, 1305, 1364, 1365,
                                       1366, 1406, 1451, 1452, 1690, 2031, 4025};
  const bool of_author =
      std::find(std::begin(authors), std::end(authors), failure.number) != std::end(authors);
  // A class of SQLSTATE that is about the statement or its values.
  const std::string_view kind = std::string_view(failure.state).substr(0, 2);
  const bool known = find_row(failure.number) != nullptr;
  const bool by_class = !known && (kind == "21" || kind == "22" || kind == "42" || kind == "45");
  if (!of_author && !by_class) return map_error(failure, "guarded statement");
  return invalid_request("mariadb: guarded statement", describe("", failure));
}

bool is_duplicate(const Failure& failure) noexcept {
  return failure.number == 1062;
}

bool is_constraint(const Failure& failure) noexcept {
  return failure.number == 4025;
}

bool is_away(const Failure& failure) noexcept {
  return failure.number == 1047;
}

bool is_wait_over(const Failure& failure) noexcept {
  return failure.number == 1205;
}

bool is_link_lost(const Failure& failure) noexcept {
  // The library's own numbers; and those with which the server says good-bye.
  if (failure.number >= 2000 && failure.number < 3000) {
    // Nothing was wrong with the link: parameters, or a value, were.
    return failure.number != 2031 && failure.number != 2030 && failure.number != 2036;
  }
  constexpr std::uint32_t last_words[] = {1053,
                                          1077,
                                          1152,
                                          1158,
                                          1159,
                                          1160,
                                          1161,
                                          1927,
                                          4031,
                                          1040,
                                          1044,
                                          1045,
                                          1049,
                                          1129,
                                          1130,
                                          1047};
  return std::find(std::begin(last_words), std::end(last_words), failure.number) !=
         std::end(last_words);
}

}  // namespace mizan::mariadb
