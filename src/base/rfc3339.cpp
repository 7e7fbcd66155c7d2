#include "mizan/clock.hpp"

#include "base/assert.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace mizan {

namespace {

using std::chrono::microseconds;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Takes the text apart from the left; a failed step leaves `ok` false for good.
class Reader {
 public:
  explicit Reader(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  [[nodiscard]] char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }

  int number(std::size_t digits, int least, int most) noexcept {
    if (rest_.size() < digits) return fail();
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest_[i])) return fail();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value < least || value > most ? fail() : value;
  }

  void one_of(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) {
      fail();
      return;
    }
    rest_.remove_prefix(1);
  }

  /// 1–9 digits after the point, cut to microseconds.
  microseconds fraction() noexcept {
    std::size_t digits = 0;
    std::int64_t value = 0;
    for (; !at_end() && is_digit(peek()); ++digits) {
      if (digits < 6) value = value * 10 + (peek() - '0');
      rest_.remove_prefix(1);
    }
    for (std::size_t i = digits; i < 6; ++i) value *= 10;
    if (digits < 1 || digits > 9) fail();
    return microseconds{value};
  }

 private:
  int fail() noexcept {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

std::chrono::year_month_day read_date(Reader& reader) noexcept {
  const int year = reader.number(4, 0, 9999);
  reader.one_of("-");
  const int month = reader.number(2, 1, 12);
  reader.one_of("-");
  const int day = reader.number(2, 1, 31);
  return std::chrono::year{year} / std::chrono::month{static_cast<unsigned>(month)} /
         std::chrono::day{static_cast<unsigned>(day)};
}

microseconds read_time(Reader& reader) noexcept {
  const int hour = reader.number(2, 0, 23);
  reader.one_of(":");
  const int minute = reader.number(2, 0, 59);
  reader.one_of(":");
  // A leap second has no place on the scale of sys_time, so 60 is refused rather than moved.
  const int second = reader.number(2, 0, 59);
  microseconds time =
      std::chrono::hours{hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
  if (reader.peek() == '.') {
    reader.one_of(".");
    time += reader.fraction();
  }
  return time;
}

std::chrono::minutes read_offset(Reader& reader) noexcept {
  const char sign = reader.peek();
  reader.one_of("Zz+-");
  if (sign == 'Z' || sign == 'z') return {};
  const int hour = reader.number(2, 0, 23);
  reader.one_of(":");
  const int minute = reader.number(2, 0, 59);
  const std::chrono::minutes offset = std::chrono::hours{hour} + std::chrono::minutes{minute};
  return sign == '-' ? -offset : offset;
}

void append_padded(std::string& out, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

}  // namespace

std::string to_rfc3339(Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss<microseconds> clock{time - day};
  std::string out;
  out.reserve(27);
  append_padded(out, static_cast<int>(date.year()), 4);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  append_padded(out, clock.hours().count(), 2);
  out += ':';
  append_padded(out, clock.minutes().count(), 2);
  out += ':';
  append_padded(out, clock.seconds().count(), 2);
  out += '.';
  append_padded(out, clock.subseconds().count(), 6);
  out += 'Z';
  return out;
}

std::optional<Timestamp> parse_rfc3339(std::string_view text) {
  Reader reader(text);
  const std::chrono::year_month_day date = read_date(reader);
  if (!reader.ok() || !date.ok()) return std::nullopt;
  const Timestamp midnight = std::chrono::sys_days{date};
  if (reader.at_end()) return midnight;
  reader.one_of("Tt ");
  const microseconds time = read_time(reader);
  const std::chrono::minutes offset = read_offset(reader);
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return midnight + time - offset;
}

}  // namespace mizan
