#pragma once

#include "cli/output.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::cli {

/// A text from outside, made safe for a terminal: control characters, direction overrides and
/// invalid bytes become visible escapes. Everything else stays as it is.
[[nodiscard]] std::string safe(std::string_view text);

/// How many columns a text takes, as far as one can tell without the terminal's font: wide East
/// Asian characters take two, combining ones none.
[[nodiscard]] std::size_t display_width(std::string_view text);

enum class Colour : std::uint8_t { none, good, bad, caution, faint, strong };

/// Adds colours where the stream is a terminal that wants them.
class Style {
 public:
  explicit Style(bool colours) noexcept : colours_(colours) {}

  [[nodiscard]] std::string paint(Colour colour, std::string_view text) const;

 private:
  bool colours_;
};

struct Column {
  enum class Align : std::uint8_t { left, right };
  std::string title;
  Align align = Align::left;
};

struct Cell {
  /// Any text; implicit, so that rows read as lists of texts.
  // NOLINTBEGIN(google-explicit-constructor): implicit on purpose, as said above.
  template <class Text>

  requires std::convertible_to<const Text&, std::string_view> Cell(const Text& words,
                                                                   Colour shade = Colour::none)
      : text(safe(words)), colour(shade) {}

  // NOLINTEND(google-explicit-constructor)

  std::string text;  ///< Safe for a terminal.
  Colour colour = Colour::none;
};

/// Rows in columns as wide as their widest cell. Rows are printed in pages, so that a listing of
/// millions takes bounded memory; the titles come once.
class Table {
 public:
  Table(Output& out, const Style& style, std::vector<Column> columns);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table();  // Prints what is left.

  void add(std::vector<Cell> row);
  void print();

  [[nodiscard]] bool empty() const noexcept { return !titled_ && rows_.empty(); }

 private:
  void print_row(const std::vector<Cell>& row) const;

  Output& out_;
  const Style& style_;
  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<Cell>> rows_;
  bool titled_ = false;
};

}  // namespace mizan::cli
