#pragma once

#include "mizan/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

namespace mizan::postgres {

// Values on their way to the server and back, in its binary format. No value is ever a part of a
// statement's text.

/// The numbers of the server's built-in types, which never change.
enum class Type : std::uint32_t {
  boolean = 16,
  bytes = 17,
  integer = 20,
  small = 21,
  text = 25,
  bytes_array = 1001,
  small_array = 1005,
  text_array = 1009,
  integer_array = 1016,
  time = 1184,
  time_array = 1185,
  unknown = 0,  ///< The server infers it; the value is text.
};

/// The elements of one array, put one by one.
class ArrayWriter {
 public:
  explicit ArrayWriter(std::string& buffer) noexcept : buffer_(buffer) {}

  void null();
  void integer(std::int64_t value);
  void small(std::int16_t value);
  void time(Timestamp value);
  void text(std::string_view value);
  void bytes(std::span<const std::byte> value);

 private:
  std::string& buffer_;
};

/// The parameters of one statement, in order.
class Parameters {
 public:
  Parameters& integer(std::int64_t value);
  Parameters& integer_or_null(std::optional<std::int64_t> value);
  Parameters& small(std::int16_t value);
  Parameters& flag(bool value);
  Parameters& time(Timestamp value);
  Parameters& time_or_null(std::optional<Timestamp> value);
  Parameters& text(std::string_view value);
  Parameters& text_unless_empty(std::string_view value);
  Parameters& bytes(std::span<const std::byte> value);
  Parameters& untyped(std::optional<std::string_view> value);

  /// An array of `count` elements, each written by `put(writer, index)`.
  template <class Put>
  Parameters& array(Type type, std::size_t count, Put put) {
    begin_array(type, count);
    ArrayWriter writer(buffer_);
    for (std::size_t i = 0; i < count; ++i) put(writer, i);
    end();
    return *this;
  }

  Parameters& integers(std::span<const std::int64_t> values);

  [[nodiscard]] std::size_t size() const noexcept { return types_.size(); }

  [[nodiscard]] const std::vector<Type>& types() const noexcept { return types_; }

  /// Null, or where the value begins.
  [[nodiscard]] const char* value(std::size_t index) const noexcept;
  [[nodiscard]] int length(std::size_t index) const noexcept;
  [[nodiscard]] bool is_text(std::size_t index) const noexcept;

 private:
  struct Place {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_null = false;
  };

  void begin(Type type);
  void end();
  void null(Type type);
  void begin_array(Type type, std::size_t count);

  std::string buffer_;
  std::vector<Type> types_;
  std::vector<Place> places_;
};

/// What the server answered to one statement.
class Answer {
 public:
  explicit Answer(pg_result* result) noexcept : result_(result) {}

  [[nodiscard]] int size() const noexcept;

  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// How many rows the statement inserted, changed or removed.
  [[nodiscard]] std::int64_t affected() const noexcept;

  /// The command that was done, such as "COMMIT" or "ROLLBACK".
  [[nodiscard]] std::string_view command() const noexcept;

  [[nodiscard]] pg_result* handle() const noexcept { return result_.get(); }

 private:
  struct Clear {
    void operator()(pg_result* result) const noexcept;
  };

  std::unique_ptr<pg_result, Clear> result_;
};

/// One row of an answer, whose columns were asked for in binary. Borrows from it. A column that is
/// NULL reads as 0 or an empty text.
class Row {
 public:
  using Column = int;

  Row(const Answer& answer, int row) noexcept : result_(answer.handle()), row_(row) {}

  [[nodiscard]] bool is_null(int column) const noexcept;
  [[nodiscard]] std::int64_t integer(int column) const noexcept;  ///< Of 2, 4 or 8 bytes.
  [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const noexcept;
  [[nodiscard]] bool flag(int column) const noexcept;
  [[nodiscard]] Timestamp time(int column) const noexcept;
  [[nodiscard]] std::optional<Timestamp> optional_time(int column) const noexcept;
  [[nodiscard]] std::string_view text(int column) const noexcept;
  [[nodiscard]] std::span<const std::byte> bytes(int column) const noexcept;

 private:
  pg_result* result_;
  int row_;
};

}  // namespace mizan::postgres
