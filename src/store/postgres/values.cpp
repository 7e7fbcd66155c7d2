#include "store/postgres/values.hpp"

#include <libpq-fe.h>

#include <charconv>
#include <chrono>
#include <cstring>
#include <type_traits>

namespace mizan::postgres {
namespace {

/// Where the server's clock begins: 2000-01-01 UTC, in microseconds since 1970.
constexpr std::int64_t epoch_offset = 946'684'800'000'000;

template <class Number>
void put_number(std::string& buffer, Number value) {
  using Unsigned = std::make_unsigned_t<Number>;
  auto bits = static_cast<Unsigned>(value);
  char bytes[sizeof(Number)];
  for (std::size_t i = sizeof(Number); i-- > 0;) {
    bytes[i] = static_cast<char>(bits & 0xff);
    if constexpr (sizeof(Number) > 1) bits = static_cast<Unsigned>(bits >> 8);
  }
  buffer.append(bytes, sizeof(Number));
}

std::int64_t from_timestamp(Timestamp time) {
  return time.time_since_epoch().count() - epoch_offset;
}

Type element_type(Type array) {
  switch (array) {
    case Type::bytes_array:
      return Type::bytes;
    case Type::small_array:
      return Type::small;
    case Type::text_array:
      return Type::text;
    case Type::integer_array:
      return Type::integer;
    case Type::time_array:
      return Type::time;
    case Type::boolean:
    case Type::bytes:
    case Type::integer:
    case Type::small:
    case Type::text:
    case Type::time:
    case Type::unknown:
      break;
  }
  return Type::unknown;
}

}  // namespace

void ArrayWriter::null() {
  put_number<std::int32_t>(buffer_, -1);
}

void ArrayWriter::integer(std::int64_t value) {
  put_number<std::int32_t>(buffer_, 8);
  put_number(buffer_, value);
}

void ArrayWriter::small(std::int16_t value) {
  put_number<std::int32_t>(buffer_, 2);
  put_number(buffer_, value);
}

void ArrayWriter::time(Timestamp value) {
  integer(from_timestamp(value));
}

void ArrayWriter::text(std::string_view value) {
  put_number(buffer_, static_cast<std::int32_t>(value.size()));
  buffer_ += value;
}

void ArrayWriter::bytes(std::span<const std::byte> value) {
  text({reinterpret_cast<const char*>(value.data()), value.size()});
}

void Parameters::begin(Type type) {
  types_.push_back(type);
  places_.push_back({buffer_.size(), buffer_.size(), false});
}

void Parameters::end() {
  places_.back().end = buffer_.size();
  buffer_ += '\0';  // A value in text form ends with it.
}

void Parameters::null(Type type) {
  begin(type);
  places_.back().is_null = true;
}

Parameters& Parameters::integer(std::int64_t value) {
  begin(Type::integer);
  put_number(buffer_, value);
  end();
  return *this;
}

Parameters& Parameters::integer_or_null(std::optional<std::int64_t> value) {
  if (value) return integer(*value);
  null(Type::integer);
  return *this;
}

Parameters& Parameters::small(std::int16_t value) {
  begin(Type::small);
  put_number(buffer_, value);
  end();
  return *this;
}

Parameters& Parameters::flag(bool value) {
  begin(Type::boolean);
  put_number<std::int8_t>(buffer_, value ? 1 : 0);
  end();
  return *this;
}

Parameters& Parameters::time(Timestamp value) {
  begin(Type::time);
  put_number(buffer_, from_timestamp(value));
  end();
  return *this;
}

Parameters& Parameters::time_or_null(std::optional<Timestamp> value) {
  if (value) return time(*value);
  null(Type::time);
  return *this;
}

Parameters& Parameters::text(std::string_view value) {
  begin(Type::text);
  buffer_ += value;
  end();
  return *this;
}

Parameters& Parameters::text_unless_empty(std::string_view value) {
  if (!value.empty()) return text(value);
  null(Type::text);
  return *this;
}

Parameters& Parameters::bytes(std::span<const std::byte> value) {
  begin(Type::bytes);
  buffer_.append(reinterpret_cast<const char*>(value.data()), value.size());
  end();
  return *this;
}

Parameters& Parameters::untyped(std::optional<std::string_view> value) {
  if (!value) {
    null(Type::unknown);
    return *this;
  }
  begin(Type::unknown);
  buffer_ += *value;
  end();
  return *this;
}

Parameters& Parameters::integers(std::span<const std::int64_t> values) {
  return array(Type::integer_array, values.size(), [&](ArrayWriter& writer, std::size_t i) {
    writer.integer(values[i]);
  });
}

void Parameters::begin_array(Type type, std::size_t count) {
  begin(type);
  put_number<std::int32_t>(buffer_, count == 0 ? 0 : 1);  // Dimensions.
  put_number<std::int32_t>(buffer_, 0);                   // Flags; nulls are found by themselves.
  put_number(buffer_, static_cast<std::int32_t>(element_type(type)));
  if (count == 0) return;
  put_number(buffer_, static_cast<std::int32_t>(count));
  put_number<std::int32_t>(buffer_, 1);  // The first index.
}

const char* Parameters::value(std::size_t index) const noexcept {
  const Place& place = places_[index];
  return place.is_null ? nullptr : buffer_.data() + place.begin;
}

int Parameters::length(std::size_t index) const noexcept {
  return static_cast<int>(places_[index].end - places_[index].begin);
}

bool Parameters::is_text(std::size_t index) const noexcept {
  return types_[index] == Type::unknown;
}

void Answer::Clear::operator()(pg_result* result) const noexcept {
  PQclear(result);
}

int Answer::size() const noexcept {
  return PQntuples(result_.get());
}

std::int64_t Answer::affected() const noexcept {
  const std::string_view text = PQcmdTuples(result_.get());
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

std::string_view Answer::command() const noexcept {
  return PQcmdStatus(result_.get());
}

bool Row::is_null(int column) const noexcept {
  return PQgetisnull(result_, row_, column) != 0;
}

std::int64_t Row::integer(int column) const noexcept {
  const std::span<const std::byte> value = bytes(column);
  if (value.empty() || value.size() > 8) return 0;
  // The first bit is the sign, which fills what is not there.
  const bool is_negative = (value.front() & std::byte{0x80}) != std::byte{0};
  std::uint64_t number = is_negative ? ~std::uint64_t{0} : 0;
  for (const std::byte byte : value) number = number << 8 | std::to_integer<std::uint64_t>(byte);
  return static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> Row::optional_integer(int column) const noexcept {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

bool Row::flag(int column) const noexcept {
  return integer(column) != 0;
}

Timestamp Row::time(int column) const noexcept {
  if (is_null(column)) return Timestamp();
  return Timestamp(std::chrono::microseconds(integer(column) + epoch_offset));
}

std::optional<Timestamp> Row::optional_time(int column) const noexcept {
  if (is_null(column)) return std::nullopt;
  return time(column);
}

std::string_view Row::text(int column) const noexcept {
  return {PQgetvalue(result_, row_, column),
          static_cast<std::size_t>(PQgetlength(result_, row_, column))};
}

std::span<const std::byte> Row::bytes(int column) const noexcept {
  const std::string_view value = text(column);
  return std::as_bytes(std::span(value.data(), value.size()));
}

}  // namespace mizan::postgres
