#include "remote/percent.hpp"

namespace mizan::remote {
namespace {

bool is_unreserved(char c) {
  const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return is_letter || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  // Alone in a segment they would name another path.
  const bool is_dots = text == "." || text == "..";
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c) && !is_dots) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 0xfU];
  }
  return out;
}

}  // namespace mizan::remote
