#include "store/mariadb/sql_session.hpp"

#include "base/match.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace mizan::mariadb {
namespace {

/// Everything else may commit by itself (a change of a table, a call of a procedure), or bends the
/// transaction or the session that others use after us.
constexpr std::array<std::string_view, 9> allowed = {
    "delete", "do", "explain", "insert", "replace", "select", "update", "values", "with"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Cuts white space and comments off the front.
std::string_view skip_space(std::string_view text) {
  for (;;) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n\f\v;("), text.size());
    text.remove_prefix(begin);
    if (text.starts_with("--") || text.starts_with('#')) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const std::size_t end = std::min(text.find("*/", 2), text.size());
      text.remove_prefix(std::min(end + 2, text.size()));
    } else {
      return text;
    }
  }
}

std::string first_word(std::string_view text) {
  text = skip_space(text);
  std::string word;
  while (!text.empty() && is_word(text.front())) {
    word += lower(text.front());
    text.remove_prefix(1);
  }
  return word;
}

/// Does a name that begins so stand in the text, in whatever case, inside of quotes or not?
bool names(std::string_view text, std::string_view prefix) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  for (std::size_t at = 0; (at = lowered.find(prefix, at)) != std::string::npos; ++at) {
    if (at == 0 || !is_word(lowered[at - 1])) return true;
  }
  return false;
}

Error refused(std::string detail) {
  return invalid_request("mariadb: guarded statement", std::move(detail));
}

Parameters to_parameters(std::span<const SqlValue> values) {
  Parameters parameters;
  for (const SqlValue& value : values) {
    std::visit(Match{[&](std::monostate) { parameters.null(); },
                     [&](std::int64_t number) { parameters.integer(number); },
                     [&](double number) { parameters.real(number); },
                     [&](const std::string& text) { parameters.text(text); }},
               value);
  }
  return parameters;
}

SqlValue to_value(const Answer& answer, std::size_t row, std::size_t column) {
  const Cell& cell = answer.cell(row, column);
  if (cell.is_null) return std::monostate();
  if (answer.kind(column) == Kind::integer) return cell.integer;
  if (answer.kind(column) == Kind::real) return cell.real;
  return std::string(answer.text_of(cell));
}

}  // namespace

std::string reason_to_refuse(std::string_view statement, std::string_view prefix) {
  if (statement.find('\0') != std::string_view::npos) return "the statement has a zero byte in it";
  if (statement.find("/*!") != std::string_view::npos ||
      statement.find("/*M!") != std::string_view::npos) {
    return "the statement has a comment that the server runs";
  }
  const std::string word = first_word(statement);
  if (word.empty()) return "the statement is empty";
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) {
    return word + " is not for a guarded statement: the guard begins, bounds and commits";
  }
  if (names(statement, prefix)) {
    return "the statement names a table that begins with " + std::string(prefix) +
           ", which is the ledger's own";
  }
  return {};
}

Result<Answer> UserSession::run(std::string_view text, std::span<const SqlValue> values) {
  const std::string reason = reason_to_refuse(text, session_.connection().prefix());
  if (!reason.empty()) return refused(reason);
  return session_.ask_user(std::string(text), to_parameters(values));
}

Result<std::int64_t> UserSession::execute(std::string_view statement,
                                          std::span<const SqlValue> parameters) {
  auto answer = run(statement, parameters);
  if (!answer) return answer.error();
  return answer->affected();
}

Result<std::vector<SqlRow>> UserSession::query(std::string_view statement,
                                               std::span<const SqlValue> parameters) {
  auto answer = run(statement, parameters);
  if (!answer) return answer.error();
  std::vector<SqlRow> rows;
  for (std::size_t row = 0; row < answer->size(); ++row) {
    SqlRow& values = rows.emplace_back();
    for (std::size_t column = 0; column < answer->columns(); ++column) {
      values.push_back(to_value(*answer, row, column));
    }
  }
  return rows;
}

}  // namespace mizan::mariadb
