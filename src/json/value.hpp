#pragma once

#include "mizan/clock.hpp"
#include "mizan/metadata.hpp"
#include "mizan/money.hpp"
#include "mizan/text.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace mizan::json {

class Array;
class Object;

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// One JSON value as text, complete and valid by construction: texts are escaped, invalid UTF-8 in
/// them becomes U+FFFD, and numbers that JSON cannot write (NaN, infinities) become null. Built
/// from whatever it is made of; amounts become strings, times RFC 3339.
class Value {
 public:
  Value(std::nullptr_t) : text_("null") {}  // NOLINT(google-explicit-constructor)

  Value(std::nullopt_t) : text_("null") {}  // NOLINT(google-explicit-constructor)

  Value(std::string_view text);     // NOLINT(google-explicit-constructor)
  Value(const std::string& text);   // NOLINT(google-explicit-constructor)
  Value(const char* text);          // NOLINT(google-explicit-constructor)
  Value(double number);             // NOLINT(google-explicit-constructor)
  Value(MinorUnits units);          // NOLINT(google-explicit-constructor)
  Value(WideUnits units);           // NOLINT(google-explicit-constructor)
  Value(Timestamp time);            // NOLINT(google-explicit-constructor)
  Value(const Metadata& metadata);  // NOLINT(google-explicit-constructor)
  Value(const Object& object);      // NOLINT(google-explicit-constructor)
  Value(const Array& array);        // NOLINT(google-explicit-constructor)

  Value(std::same_as<bool> auto boolean)  // NOLINT(google-explicit-constructor)
      : text_(boolean ? "true" : "false") {}

  template <Number T>
  Value(T number) : text_(std::to_string(number)) {}  // NOLINT(google-explicit-constructor)

  template <class Tag, std::size_t Max>
  Value(const ShortText<Tag, Max>& text)  // NOLINT(google-explicit-constructor)
      : Value(text.view()) {}

  /// Null where there is nothing.
  template <class T>
  Value(const std::optional<T>& value)  // NOLINT(google-explicit-constructor)
      : Value(value ? Value(*value) : Value(nullptr)) {}

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

/// A JSON object under construction; members keep the order in which they are set. The caller
/// sets each key once. One thread at a time.
class Object {
 public:
  Object() = default;

  /// Of members that are JSON text already, separated by commas.
  [[nodiscard]] static Object of_members(std::string members) {
    Object object;
    object.members_ = std::move(members);
    return object;
  }

  Object& set(std::string_view key, const Value& value);

  /// As `set`, but leaves the member out where there is nothing.
  template <class T>
  Object& set_present(std::string_view key, const std::optional<T>& value) {
    return value ? set(key, *value) : *this;
  }

  /// The object on one line, without white space.
  [[nodiscard]] std::string text() const;

 private:
  std::string members_;
};

/// A JSON array under construction. One thread at a time.
class Array {
 public:
  Array& add(const Value& value);

  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }

  [[nodiscard]] std::string text() const;

 private:
  std::string items_;
};

}  // namespace mizan::json
