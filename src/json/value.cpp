#include "json/value.hpp"

#include "base/assert.hpp"
#include "base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace mizan::json {

namespace {

std::string quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_json_string(out, text);
  return out;
}

std::string shortest_decimal(double number) {
  if (!std::isfinite(number)) return "null";
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  MIZAN_ASSERT(error == std::errc{});
  return {buffer.data(), end};
}

}  // namespace

Value::Value(std::string_view text) : text_(quoted(text)) {}

Value::Value(const std::string& text) : text_(quoted(text)) {}

Value::Value(const char* text) : text_(quoted(text)) {}

Value::Value(double number) : text_(shortest_decimal(number)) {}

Value::Value(MinorUnits units) : text_('"' + std::to_string(units.value()) + '"') {}

Value::Value(WideUnits units) : text_('"' + to_string(units) + '"') {}

Value::Value(Timestamp time) : text_('"' + to_rfc3339(time) + '"') {}

Value::Value(const Metadata& metadata)
    : text_(metadata.empty() ? "{}" : encode_metadata(metadata)) {}

Value::Value(const Object& object) : text_(object.text()) {}

Value::Value(const Array& array) : text_(array.text()) {}

Object& Object::set(std::string_view key, const Value& value) {
  if (!members_.empty()) members_ += ',';
  append_json_string(members_, key);
  members_ += ':';
  members_ += value.text();
  return *this;
}

std::string Object::text() const {
  return '{' + members_ + '}';
}

Array& Array::add(const Value& value) {
  if (!items_.empty()) items_ += ',';
  items_ += value.text();
  return *this;
}

std::string Array::text() const {
  return '[' + items_ + ']';
}

}  // namespace mizan::json
