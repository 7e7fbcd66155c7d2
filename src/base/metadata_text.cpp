#include "mizan/metadata.hpp"

#include "base/text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan {

namespace {

/// Reads a JSON object of strings; the library needs no more JSON than this. A failed step leaves
/// `ok` false for good.
class Reader {
 public:
  explicit Reader(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }

  [[nodiscard]] bool at_end() noexcept {
    skip_space();
    return rest_.empty();
  }

  /// Takes the character where it is next; false where another one is.
  bool take(char c) noexcept {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void require(char c) noexcept {
    if (!take(c)) fail();
  }

  std::string string() {
    std::string out;
    require('"');
    while (ok_ && !rest_.starts_with('"')) {
      if (rest_.empty()) return fail();
      if (rest_.front() == '\\') {
        escape(out);
      } else {
        out += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    if (ok_) rest_.remove_prefix(1);
    return out;
  }

 private:
  std::string fail() noexcept {
    ok_ = false;
    rest_ = {};
    return {};
  }

  void skip_space() noexcept {
    const std::size_t end = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
  }

  void escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    rest_.remove_prefix(1);
    if (rest_.starts_with('u')) {
      rest_.remove_prefix(1);
      append_code_point(out);
      return;
    }
    const std::size_t index = rest_.empty() ? std::string_view::npos : names.find(rest_.front());
    if (index == std::string_view::npos) {
      fail();
      return;
    }
    out += meanings[index];
    rest_.remove_prefix(1);
  }

  void append_code_point(std::string& out) {
    char32_t point = hex_digits();
    const bool is_high = point >= 0xd800 && point < 0xdc00;
    if (is_high && rest_.starts_with("\\u")) {
      rest_.remove_prefix(2);
      const char32_t low = hex_digits();
      const bool is_low = low >= 0xdc00 && low < 0xe000;
      point = is_low ? 0x10000 + ((point - 0xd800) << 10U) + (low - 0xdc00) : point;
    }
    if (point >= 0xd800 && point < 0xe000) fail();
    if (ok_) append_utf8(out, point);
  }

  char32_t hex_digits() {
    char32_t value = 0;
    if (rest_.size() < 4) fail();
    for (int i = 0; i < 4 && ok_; ++i) {
      const std::size_t digit = hex_digit_value(rest_.front());
      if (digit > 15) fail();
      if (!ok_) return 0;
      value = value * 16 + static_cast<char32_t>(digit);
      rest_.remove_prefix(1);
    }
    return value;
  }

  static std::size_t hex_digit_value(char c) noexcept {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    return std::string_view("0123456789abcdef").find(c);
  }

  std::string_view rest_;
  bool ok_ = true;
};

std::optional<std::vector<Metadata::Item>> read_object(std::string_view text) {
  Reader reader(text);
  std::vector<Metadata::Item> items;
  reader.require('{');
  bool is_open = reader.ok() && !reader.take('}');
  while (is_open) {
    std::string key = reader.string();
    reader.require(':');
    std::string value = reader.string();
    items.emplace_back(std::move(key), std::move(value));
    is_open = reader.take(',');
    if (!is_open) reader.require('}');
    if (items.size() > Metadata::items_max) break;  // Refused by `make`, whatever follows.
  }
  const bool is_whole = items.size() > Metadata::items_max || reader.at_end();
  if (!reader.ok() || !is_whole) return std::nullopt;
  return items;
}

}  // namespace

std::string encode_metadata(const Metadata& metadata) {
  if (metadata.empty()) return {};
  std::string out;
  char separator = '{';
  for (const auto& [key, value] : metadata.items()) {
    out += separator;
    append_json_string(out, key);
    out += ':';
    append_json_string(out, value);
    separator = ',';
  }
  out += '}';
  return out;
}

Result<Metadata> decode_metadata(std::string_view text) {
  if (text.empty()) return Metadata{};
  std::optional<std::vector<Metadata::Item>> items = read_object(text);
  if (!items) {
    return invalid_request(
        "metadata",
        "metadata is one JSON object of strings; this is \"" + escape_for_log(text, 80) + "\"");
  }
  return Metadata::make(*std::move(items));
}

}  // namespace mizan
