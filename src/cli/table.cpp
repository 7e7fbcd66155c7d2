#include "cli/table.hpp"

#include "base/assert.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mizan::cli {
namespace {

constexpr std::size_t rows_per_page = 1'000;
constexpr std::string_view gap = "  ";

struct Range {
  char32_t first = 0;
  char32_t last = 0;
};

// Characters that move the cursor, break a line or reorder what follows (UAX #9).
constexpr std::array<Range, 8> unsafe{{{0x00, 0x1f},
                                       {0x7f, 0x9f},
                                       {0x061c, 0x061c},
                                       {0x200b, 0x200f},
                                       {0x2028, 0x202e},
                                       {0x2060, 0x206f},
                                       {0xfeff, 0xfeff},
                                       {0xe0000, 0xe0fff}}};
constexpr std::array<Range, 4> zero_width{
    {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}}};
constexpr std::array<Range, 7> wide{{{0x1100, 0x115f},
                                     {0x2e80, 0xa4cf},
                                     {0xac00, 0xd7a3},
                                     {0xf900, 0xfaff},
                                     {0xff00, 0xff60},
                                     {0x1f300, 0x1faff},
                                     {0x20000, 0x3fffd}}};

template <std::size_t Count>
bool within(char32_t value, const std::array<Range, Count>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [value](const Range& range) {
    return range.first <= value && value <= range.last;
  });
}

std::string_view escape_of(Colour colour) {
  switch (colour) {
    case Colour::none:
      return "";
    case Colour::good:
      return "\x1b[32m";
    case Colour::bad:
      return "\x1b[31m";
    case Colour::caution:
      return "\x1b[33m";
    case Colour::faint:
      return "\x1b[2m";
    case Colour::strong:
      return "\x1b[1m";
  }
  return "";
}

}  // namespace

std::string safe(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!point.valid) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (within(point.value, unsafe)) {
      out += point.value < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(point.value))
                                : fmt::format("\\u{{{:04x}}}", static_cast<unsigned>(point.value));
    } else {
      out += text.substr(0, point.size);
    }
    text.remove_prefix(point.size);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!within(point.value, zero_width)) width += within(point.value, wide) ? 2 : 1;
    text.remove_prefix(point.size);
  }
  return width;
}

std::string Style::paint(Colour colour, std::string_view text) const {
  if (!colours_ || colour == Colour::none) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_of(colour), text);
}

Table::Table(Output& out, const Style& style, std::vector<Column> columns)
    : out_(out), style_(style), columns_(std::move(columns)) {
  for (const Column& column : columns_) widths_.push_back(display_width(column.title));
}

Table::~Table() {
  print();
}

void Table::add(std::vector<Cell> row) {
  MIZAN_ASSERT(row.size() == columns_.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    widths_[i] = std::max(widths_[i], display_width(row[i].text));
  }
  rows_.push_back(std::move(row));
  if (rows_.size() >= rows_per_page) print();
}

void Table::print() {
  if (rows_.empty()) return;
  if (!titled_) {
    std::vector<Cell> titles;
    for (const Column& column : columns_) titles.emplace_back(column.title, Colour::faint);
    print_row(titles);
    titled_ = true;
  }
  for (const std::vector<Cell>& row : rows_) print_row(row);
  rows_.clear();
}

void Table::print_row(const std::vector<Cell>& row) const {
  std::string line;
  std::string spaces;  // Held back, so that no line ends in white space.
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string padding(widths_[i] - display_width(row[i].text), ' ');
    const bool right = columns_[i].align == Column::Align::right;
    if (right) spaces += padding;
    if (!row[i].text.empty()) {
      line += spaces;
      line += style_.paint(row[i].colour, row[i].text);
      spaces.clear();
    }
    if (!right) spaces += padding;
    spaces += gap;
  }
  line += '\n';
  out_.write(line);
}

}  // namespace mizan::cli
