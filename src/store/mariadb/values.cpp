#include "store/mariadb/values.hpp"

#include <chrono>

namespace mizan::mariadb {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_byte(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += digits[byte >> 4U];
  out += digits[byte & 0xfU];
}

/// Our ids are visible ASCII; whatever else comes is escaped too.
void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      append_byte(out, c);
    } else {
      out += c;
    }
  }
  out += '"';
}

template <class Items, class Append>
std::string json_list(const Items& items, Append append) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    append(out, item);
  }
  return out += ']';
}

std::int64_t microseconds(Timestamp time) {
  return time.time_since_epoch().count();
}

}  // namespace

void CellWriter::null() {
  cells_.emplace_back().is_null = true;
}

void CellWriter::integer(std::int64_t value) {
  cells_.emplace_back().integer = value;
}

void CellWriter::time(Timestamp value) {
  integer(microseconds(value));
}

void CellWriter::text(std::string_view value) {
  Cell& cell = cells_.emplace_back();
  cell.begin = buffer_.size();
  cell.size = value.size();
  buffer_ += value;
}

void CellWriter::bytes(std::span<const std::byte> value) {
  text({reinterpret_cast<const char*>(value.data()), value.size()});
}

CellWriter Parameters::begin(Kind kind) {
  Column& added = columns_.emplace_back();
  added.kind = kind;
  return {added.cells, buffer_};
}

Parameters& Parameters::integer(std::int64_t value) {
  begin(Kind::integer).integer(value);
  return *this;
}

Parameters& Parameters::integer_or_null(std::optional<std::int64_t> value) {
  if (value) return integer(*value);
  begin(Kind::integer).null();
  return *this;
}

Parameters& Parameters::flag(bool value) {
  return integer(value ? 1 : 0);
}

Parameters& Parameters::real(double value) {
  begin(Kind::real).null();
  columns_.back().cells.back() = {0, value, 0, 0, false};
  return *this;
}

Parameters& Parameters::time(Timestamp value) {
  return integer(microseconds(value));
}

Parameters& Parameters::time_or_null(std::optional<Timestamp> value) {
  if (value) return time(*value);
  return integer_or_null(std::nullopt);
}

Parameters& Parameters::text(std::string_view value) {
  begin(Kind::text).text(value);
  return *this;
}

Parameters& Parameters::text_unless_empty(std::string_view value) {
  if (!value.empty()) return text(value);
  return null();
}

Parameters& Parameters::bytes(std::span<const std::byte> value) {
  begin(Kind::bytes).bytes(value);
  return *this;
}

Parameters& Parameters::null() {
  begin(Kind::text).null();
  return *this;
}

Parameters& Parameters::list(std::span<const std::int64_t> numbers) {
  return text(json_list(
      numbers, [](std::string& out, std::int64_t number) { out += std::to_string(number); }));
}

Parameters& Parameters::list(std::span<const std::string_view> texts) {
  return text(json_list(texts, append_json));
}

Parameters& Parameters::hexadecimal_list(std::span<const std::string> values) {
  return text(json_list(values, [](std::string& out, const std::string& value) {
    out += '"';
    for (const char c : value) append_byte(out, c);
    out += '"';
  }));
}

void Answer::put_real(double value) {
  cells_.emplace_back().real = value;
}

bool Row::is_null(std::size_t column) const noexcept {
  return answer_.cell(row_, column).is_null;
}

std::int64_t Row::integer(std::size_t column) const noexcept {
  return answer_.cell(row_, column).integer;
}

std::optional<std::int64_t> Row::optional_integer(std::size_t column) const noexcept {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

bool Row::flag(std::size_t column) const noexcept {
  return integer(column) != 0;
}

Timestamp Row::time(std::size_t column) const noexcept {
  return Timestamp(std::chrono::microseconds(integer(column)));
}

std::optional<Timestamp> Row::optional_time(std::size_t column) const noexcept {
  if (is_null(column)) return std::nullopt;
  return time(column);
}

std::string_view Row::text(std::size_t column) const noexcept {
  return answer_.text_of(answer_.cell(row_, column));
}

std::span<const std::byte> Row::bytes(std::size_t column) const noexcept {
  const std::string_view value = text(column);
  return std::as_bytes(std::span(value.data(), value.size()));
}

}  // namespace mizan::mariadb
