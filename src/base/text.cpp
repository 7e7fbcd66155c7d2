#include "base/text.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace mizan {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

unsigned byte_at(std::string_view text, std::size_t index) noexcept {
  return static_cast<unsigned char>(text[index]);
}

struct LeadByte {
  std::size_t size = 0;  // 0: no code point begins like this.
  char32_t bits = 0;
  char32_t least = 0;  // Smaller values have a shorter form, which is the only valid one.
};

LeadByte read_lead(unsigned byte) noexcept {
  if (byte < 0x80) return {1, byte, 0};
  if ((byte & 0xe0U) == 0xc0) return {2, byte & 0x1fU, 0x80};
  if ((byte & 0xf0U) == 0xe0) return {3, byte & 0x0fU, 0x800};
  if ((byte & 0xf8U) == 0xf0) return {4, byte & 0x07U, 0x10000};
  return {};
}

void append_hex(std::string& out, unsigned value, unsigned digits) {
  for (unsigned i = digits; i > 0; --i) out += hex_digits[(value >> (4 * (i - 1))) & 0xfU];
}

// Characters that change how the text around them is shown, or that end a line somewhere.
bool is_deceptive(char32_t c) noexcept {
  const bool is_control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool is_separator = c == 0x2028 || c == 0x2029;
  const bool is_direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
                            c == 0x200e || c == 0x200f || c == 0x061c;
  return is_control || is_separator || is_direction;
}

void append_json_escape(std::string& out, unsigned byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u";
      append_hex(out, byte, 4);
  }
}

bool is_plain_json(unsigned byte) noexcept {
  return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void append_escaped(std::string& out, std::string_view text, const CodePoint& point) {
  if (!point.valid) {
    out += "\\x";
    append_hex(out, byte_at(text, 0), 2);
  } else if (point.value == '\\' || point.value == '"') {
    out += '\\';
    out += static_cast<char>(point.value);
  } else if (point.value == '\n') {
    out += "\\n";
  } else if (is_deceptive(point.value)) {
    out += "\\u";
    append_hex(out, static_cast<unsigned>(point.value), 4);
  } else {
    out.append(text.substr(0, point.size));
  }
}

}  // namespace

CodePoint first_code_point(std::string_view text) noexcept {
  const LeadByte lead = read_lead(byte_at(text, 0));
  if (lead.size == 0 || lead.size > text.size()) return {};
  char32_t value = lead.bits;
  for (std::size_t i = 1; i < lead.size; ++i) {
    const unsigned byte = byte_at(text, i);
    if ((byte & 0xc0U) != 0x80) return {};
    value = (value << 6U) | (byte & 0x3fU);
  }
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < lead.least || is_surrogate || value > 0x10ffff) return {};
  return {value, lead.size, true};
}

bool is_valid_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!point.valid) return false;
    text.remove_prefix(point.size);
  }
  return true;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code_point >> shift) & 0x3fU));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xc0U | (code_point >> 6U));
    tail(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xe0U | (code_point >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | (code_point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain_json(byte_at(text, plain))) ++plain;
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const CodePoint point = first_code_point(text);
    if (!point.valid) {
      out += "\xef\xbf\xbd";
    } else if (point.size == 1) {
      append_json_escape(out, byte_at(text, 0));
    } else {
      out.append(text.substr(0, point.size));
    }
    text.remove_prefix(point.size);
  }
  out += '"';
}

std::string escape_for_log(std::string_view text, std::size_t size_max) {
  std::string out;
  const bool is_cut = text.size() > size_max;
  if (is_cut) text = text.substr(0, size_max);
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    append_escaped(out, text, point);
    text.remove_prefix(point.size);
  }
  if (is_cut) out += "…";
  return out;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) noexcept {
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  if (text.empty() || has_leading_zero) return std::nullopt;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace mizan
