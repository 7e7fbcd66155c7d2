#include "store/postgres/sql_session.hpp"

#include "base/match.hpp"
#include "base/text.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

namespace mizan::postgres {
namespace {

/// What ends or bends the transaction, or the session that others use after us.
constexpr std::array<std::string_view, 21> forbidden = {
    "abort",   "begin", "close",    "cluster",   "commit", "copy",   "deallocate",
    "discard", "end",   "execute",  "listen",    "load",   "notify", "prepare",
    "release", "reset", "rollback", "savepoint", "set",    "start",  "unlisten"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Cuts the comment off that the text begins with; such comments nest.
void skip_block_comment(std::string_view& text) {
  std::size_t depth = 0;
  do {
    const bool begins = text.starts_with("/*");
    const bool ends = text.starts_with("*/");
    if (begins) ++depth;
    if (ends) --depth;
    text.remove_prefix(begins || ends ? 2 : 1);
  } while (depth > 0 && !text.empty());
}

/// Cuts white space and comments off the front.
std::string_view skip_space(std::string_view text) {
  for (;;) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n\f\v;"), text.size());
    text.remove_prefix(begin);
    if (text.starts_with("--")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      skip_block_comment(text);
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

/// Does the word stand in the text, in whatever case, inside of quotes or not?
bool names(std::string_view text, std::string_view word) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  for (std::size_t at = 0; (at = lowered.find(word, at)) != std::string::npos; ++at) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word(lowered[at - 1]);
    const bool ends = end == lowered.size() || !is_word(lowered[end]);
    if (begins && ends) return true;
  }
  return false;
}

Error refused(std::string detail) {
  return invalid_request("postgres: guarded statement", std::move(detail));
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end.ptr);
}

/// The server infers the types of the parameters; the values go as text.
Result<Parameters> to_parameters(std::span<const SqlValue> values) {
  Parameters parameters;
  for (const SqlValue& value : values) {
    const bool bound = std::visit(Match{[&](std::monostate) {
                                          parameters.untyped(std::nullopt);
                                          return true;
                                        },
                                        [&](std::int64_t number) {
                                          parameters.untyped(std::to_string(number));
                                          return true;
                                        },
                                        [&](double number) {
                                          parameters.untyped(number_text(number));
                                          return true;
                                        },
                                        [&](const std::string& text) {
                                          parameters.untyped(text);
                                          return text.find('\0') == std::string::npos;
                                        }},
                                  value);
    if (!bound) return refused("the server keeps no text with a zero byte in it");
  }
  return parameters;
}

/// The types that are an integer or a double for the caller; everything else is its text.
SqlValue to_value(const Answer& answer, int row, int column) {
  constexpr Oid boolean = 16;
  constexpr std::array<Oid, 4> integers = {20, 21, 23, 26};
  constexpr std::array<Oid, 2> doubles = {700, 701};
  if (PQgetisnull(answer.handle(), row, column) != 0) return std::monostate();
  const Oid type = PQftype(answer.handle(), column);
  const std::string_view text = Row(answer, row).text(column);
  if (type == boolean) return std::int64_t{text == "t" ? 1 : 0};
  if (std::find(integers.begin(), integers.end(), type) != integers.end()) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
  if (std::find(doubles.begin(), doubles.end(), type) != doubles.end()) {
    return std::strtod(std::string(text).c_str(), nullptr);
  }
  return std::string(text);
}

}  // namespace

std::string reason_to_refuse(std::string_view statement, std::string_view schema) {
  if (statement.find('\0') != std::string_view::npos) return "the statement has a zero byte in it";
  const std::string word = first_word(statement);
  if (word.empty() && skip_space(statement).empty()) return "the statement is empty";
  if (std::find(forbidden.begin(), forbidden.end(), word) != forbidden.end()) {
    return word + " is not for a guarded statement: the guard begins, bounds and commits";
  }
  if (names(statement, schema)) {
    return "the statement names " + std::string(schema) + ", the ledger's own schema";
  }
  return {};
}

Result<Answer> UserSession::run(std::string_view text, std::span<const SqlValue> values) {
  const std::string reason = reason_to_refuse(text, session_.connection().schema());
  if (!reason.empty()) return refused(reason);
  auto parameters = to_parameters(values);
  if (!parameters) return parameters.error();
  session_.send_user(std::string(text), *parameters);
  auto answers = session_.run();
  if (!answers) return map_user_error(session_.connection().failure());
  return std::move(answers->back());
}

Result<std::int64_t> UserSession::execute(std::string_view statement,
                                          std::span<const SqlValue> parameters) {
  auto answer = run(statement, parameters);
  if (!answer) return answer.error();
  const bool reads = answer->command().starts_with("SELECT");
  return reads ? std::int64_t{0} : answer->affected();
}

Result<std::vector<SqlRow>> UserSession::query(std::string_view statement,
                                               std::span<const SqlValue> parameters) {
  auto answer = run(statement, parameters);
  if (!answer) return answer.error();
  std::vector<SqlRow> rows;
  for (int row = 0; row < answer->size(); ++row) {
    SqlRow& values = rows.emplace_back();
    for (int column = 0; column < PQnfields(answer->handle()); ++column) {
      values.push_back(to_value(*answer, row, column));
    }
  }
  return rows;
}

}  // namespace mizan::postgres
