#include "store/postgres/error_map.hpp"

#include "base/one_line.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>

namespace mizan::postgres {
namespace {

/// Of a connection that was not made, where no server said why.
constexpr std::string_view no_link = "08001";

struct Meaning {
  Code code = Code::internal;
  Retry retry = Retry::never;
  std::string_view advice;
};

struct Row {
  std::string_view state;  ///< A whole SQLSTATE, or its class of two characters.
  Meaning meaning;
};

constexpr Meaning again(std::string_view advice) {
  return {Code::contended, Retry::now, advice};
}

constexpr Meaning away(std::string_view advice) {
  return {Code::unavailable, Retry::after_backoff, advice};
}

/// The session is over, maybe not the server: a new connection tells, and fails when it is.
constexpr Meaning session_over(std::string_view advice) {
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

/// docs/guides/postgres.md shows the same table. Whole codes before their class.
constexpr Row rows[] = {
    {"40001", again("a conflict with another transaction; it is run again")},
    {"40P01", again("a deadlock with another transaction; it is run again")},
    {"55P03", again("a lock was not free in time; the transaction is run again")},
    {"57014", again("a statement took too long; the transaction is run again")},
    {"40003", again("the link broke inside a statement; the transaction is run again")},
    {"26000", again("the prepared statement is not there: a pooler stands in between")},
    {"42P05", again("the prepared statement is there: a pooler stands in between")},
    {"0A000", {Code::internal, Retry::never, "the server cannot do this; is it PostgreSQL?"}},
    {"23505", {Code::internal, Retry::never, "a row of that key was not expected"}},
    {"23", alarm()},
    {"22003", alarm()},
    {"22021", refused("the text is not valid UTF-8")},
    {"22P05", refused("the database cannot hold the text; its encoding must be UTF8")},
    {"25006", away("the server is read only; is it a standby?")},
    {"25P03", session_over("the transaction was idle for too long; the server ended it")},
    {"28", refused("the server does not let us in; check user, password and pg_hba.conf")},
    {"3D000", refused("there is no such database; create it, or mend the URL")},
    {"3F000", refused("there is no ledger in the database yet; run `mizan init`")},
    {"42P01", refused("there is no ledger in the database yet; run `mizan init`")},
    {"42501", refused("the user lacks a privilege on the ledger's schema")},
    {"53100", away("the server's disk is full; free some space")},
    {"53200", away("the server is out of memory")},
    {"53300", away("the server has no connection left; raise max_connections or use fewer")},
    {"53", away("the server lacks a resource")},
    {"57P01", session_over("the server is shutting down, or somebody ended the session")},
    {"57P02", away("the server crashed and is coming back")},
    {"57P03", away("the server is starting or shutting down")},
    {"57P05", session_over("the session was idle for too long; the server ended it")},
    {"57", away("an operator stepped in")},
    {"58", away("the server's system failed; see its log")},
    {"08", away("the link to the server is broken")},
    {"XX001", {Code::internal, Retry::never, "the data is damaged; stop, keep a copy, restore"}},
    {"XX002", {Code::internal, Retry::never, "an index is damaged; stop, keep a copy, restore"}},
};

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// What the library says by itself and in words only, where trying again mends nothing.
std::optional<Meaning> meaning_of_link(const Failure& failure) {
  if (failure.state != no_link) return std::nullopt;
  if (has_any(failure.message, {"certificate", "SSL was required", "SSL is required"})) {
    return refused(
        "the link cannot be encrypted as the URL wants it; check sslmode, sslrootcert, and for "
        "which host the server's certificate is");
  }
  return std::nullopt;
}

Meaning meaning_of(std::string_view state) {
  // Before COMMIT a lost link means that nothing was applied, and a new one is made at once.
  if (state.empty()) {
    return {Code::unavailable, Retry::now, "the link to the server was lost"};
  }
  for (const std::string_view wanted : {state, state.substr(0, 2)}) {
    const auto* found = std::find_if(
        std::begin(rows), std::end(rows), [wanted](const Row& row) { return row.state == wanted; });
    if (found != std::end(rows)) return found->meaning;
  }
  return {};
}

std::string describe(std::string_view advice, const Failure& failure) {
  std::string text(advice);
  if (!text.empty() && !failure.message.empty()) text += ": ";
  text += one_line(failure.message);
  if (!failure.state.empty()) text += " (SQLSTATE " + escape_for_log(failure.state) + ")";
  return text;
}

}  // namespace

Failure login_failure(std::string_view message, bool lacks_password) {
  constexpr std::size_t length = 5;
  constexpr std::string_view before = ":  ";  // "FATAL:  28P01: password authentication failed"
  const auto is_code = [](std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    });
  };
  Failure failure{lacks_password ? "28P01" : std::string(no_link), std::string(message), {}, true};
  // Of several hosts the last one decided.
  for (std::size_t at = message.find(before); at != std::string_view::npos;
       at = message.find(before, at + 1)) {
    const std::string_view code = message.substr(at + before.size(), length);
    const std::size_t end = at + before.size() + code.size();
    if (code.size() == length && is_code(code) && message.substr(end, 2) == ": ") {
      failure.state = code;
    }
  }
  // The library asked, because a ledger must be written; the server said no more than that.
  const bool is_read_only =
      has_any(message, {"session is read-only", "server is in hot standby mode"});
  if (failure.state == no_link && is_read_only) failure.state = "25006";
  if (const std::size_t place = failure.message.find("\nLOCATION:"); place != std::string::npos) {
    failure.message.resize(place);
  }
  return failure;
}

Error map_error(const Failure& failure, std::string_view where) {
  const Meaning meaning = meaning_of_link(failure).value_or(meaning_of(failure.state));
  return {meaning.code,
          Certainty::not_applied,
          meaning.retry,
          "postgres: " + std::string(where),
          describe(meaning.advice, failure)};
}

Error map_commit_error(const Failure& failure) {
  const bool in_doubt = failure.is_fatal || failure.state.empty() || failure.state == "40003" ||
                        failure.state.starts_with("08");
  if (!in_doubt) return map_error(failure, "commit");
  return {Code::unknown,
          Certainty::unknown,
          Retry::after_backoff,
          "postgres: commit",
          describe("the link was lost while the transaction was being committed", failure)};
}

Error map_user_error(const Failure& failure) {
  const std::string_view kind = std::string_view(failure.state).substr(0, 2);
  constexpr std::string_view authors[] = {"0A",
                                          "0P",
                                          "21",
                                          "22",
                                          "23",
                                          "24",
                                          "25",
                                          "26",
                                          "2B",
                                          "2D",
                                          "2F",
                                          "34",
                                          "38",
                                          "39",
                                          "3B",
                                          "3F",
                                          "42",
                                          "44",
                                          "P0"};
  const bool of_author =
      std::find(std::begin(authors), std::end(authors), kind) != std::end(authors);
  if (!of_author || failure.state == "25006" || failure.state == "25P03") {
    return map_error(failure, "guarded statement");
  }
  return invalid_request("postgres: guarded statement", describe("", failure));
}

bool is_duplicate(const Failure& failure) noexcept {
  return failure.state == "23505";
}

bool is_short_of_rows(const Failure& failure) noexcept {
  return failure.state == "22012";
}

}  // namespace mizan::postgres
