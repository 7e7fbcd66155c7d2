#pragma once

#include "mizan/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::mariadb {

// Values on their way to the server and back, in its binary format. No value is ever a part of a
// statement's text. A time is the number of microseconds since 1970, UTC.

enum class Kind : std::uint8_t {
  integer,
  real,
  text,   ///< UTF-8.
  bytes,  ///< Of no character set.
};

/// One value of a parameter or a column; a text or bytes stand in the owner's buffer.
struct Cell {
  std::int64_t integer = 0;
  double real = 0;
  std::size_t begin = 0;
  std::size_t size = 0;
  bool is_null = false;
};

/// The values of one parameter, put one by one.
class CellWriter {
 public:
  CellWriter(std::vector<Cell>& cells, std::string& buffer) noexcept
      : cells_(cells), buffer_(buffer) {}

  void null();
  void integer(std::int64_t value);
  void time(Timestamp value);
  void text(std::string_view value);
  void bytes(std::span<const std::byte> value);

 private:
  std::vector<Cell>& cells_;
  std::string& buffer_;
};

/// The parameters of one statement, in order: of one execution, or a column of values each where
/// the statement is executed for many rows at once.
class Parameters {
 public:
  struct Column {
    Kind kind = Kind::integer;
    std::vector<Cell> cells;  ///< One, or one for each row.
  };

  Parameters& integer(std::int64_t value);
  Parameters& integer_or_null(std::optional<std::int64_t> value);
  Parameters& flag(bool value);
  Parameters& real(double value);
  Parameters& time(Timestamp value);
  Parameters& time_or_null(std::optional<Timestamp> value);
  Parameters& text(std::string_view value);
  Parameters& text_unless_empty(std::string_view value);
  Parameters& bytes(std::span<const std::byte> value);
  Parameters& null();

  /// Lists for JSON_TABLE, as one text each.
  Parameters& list(std::span<const std::int64_t> numbers);
  Parameters& list(std::span<const std::string_view> texts);
  Parameters& hexadecimal_list(std::span<const std::string> values);

  /// A column of `count` values, each written by `put(writer, index)`.
  template <class Put>
  Parameters& column(Kind kind, std::size_t count, Put put) {
    Column& added = columns_.emplace_back();
    added.kind = kind;
    added.cells.reserve(count);
    CellWriter writer(added.cells, buffer_);
    for (std::size_t i = 0; i < count; ++i) put(writer, i);
    return *this;
  }

  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }

  /// How many rows there are; 0 without parameters.
  [[nodiscard]] std::size_t rows() const noexcept {
    return columns_.empty() ? 0 : columns_.front().cells.size();
  }

  [[nodiscard]] std::string_view text_of(const Cell& cell) const noexcept {
    return std::string_view(buffer_).substr(cell.begin, cell.size);
  }

  /// About how many bytes a statement with them takes on its way.
  [[nodiscard]] std::size_t bytes() const noexcept {
    constexpr std::size_t per_cell = 9;
    return buffer_.size() + per_cell * rows() * columns_.size();
  }

 private:
  CellWriter begin(Kind kind);

  std::vector<Column> columns_;
  std::string buffer_;
};

/// What the server answered to one statement: all of it.
class Answer {
 public:
  Answer() = default;

  Answer(std::vector<Kind> kinds, std::int64_t affected) noexcept
      : kinds_(std::move(kinds)), affected_(affected) {}

  [[nodiscard]] std::size_t columns() const noexcept { return kinds_.size(); }

  [[nodiscard]] std::size_t size() const noexcept {
    return kinds_.empty() ? 0 : cells_.size() / kinds_.size();
  }

  [[nodiscard]] bool empty() const noexcept { return cells_.empty(); }

  /// How many rows the statement inserted or removed, or found for a change.
  [[nodiscard]] std::int64_t affected() const noexcept { return affected_; }

  [[nodiscard]] Kind kind(std::size_t column) const noexcept { return kinds_[column]; }

  [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const noexcept {
    return cells_[row * kinds_.size() + column];
  }

  [[nodiscard]] std::string_view text_of(const Cell& cell) const noexcept {
    return std::string_view(buffer_).substr(cell.begin, cell.size);
  }

  /// Row after row, column after column.
  [[nodiscard]] CellWriter writer() noexcept { return {cells_, buffer_}; }

  void put_real(double value);

 private:
  std::vector<Kind> kinds_;
  std::vector<Cell> cells_;
  std::string buffer_;
  std::int64_t affected_ = 0;
};

/// One row of an answer. Borrows from it. A column that is NULL reads as 0 or an empty text.
class Row {
 public:
  using Column = std::size_t;

  Row(const Answer& answer, std::size_t row) noexcept : answer_(answer), row_(row) {}

  [[nodiscard]] bool is_null(std::size_t column) const noexcept;
  [[nodiscard]] std::int64_t integer(std::size_t column) const noexcept;
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::size_t column) const noexcept;
  [[nodiscard]] bool flag(std::size_t column) const noexcept;
  [[nodiscard]] Timestamp time(std::size_t column) const noexcept;
  [[nodiscard]] std::optional<Timestamp> optional_time(std::size_t column) const noexcept;
  [[nodiscard]] std::string_view text(std::size_t column) const noexcept;
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t column) const noexcept;

 private:
  const Answer& answer_;
  std::size_t row_;
};

}  // namespace mizan::mariadb
