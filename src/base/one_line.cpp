#include "base/one_line.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace mizan {

std::string one_line(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  constexpr std::string_view quotes = "\"\\";
  constexpr std::size_t size_max = 512;
  const bool is_cut = text.size() > size_max;
  if (is_cut) text = text.substr(0, size_max);
  std::string line;
  while (!text.empty()) {
    const bool is_blank = blanks.find(text.front()) != std::string_view::npos;
    const bool is_quote = quotes.find(text.front()) != std::string_view::npos;
    if (is_blank) {
      text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
      if (!line.empty() && !text.empty()) line += ' ';
    } else if (is_quote) {
      line += text.front();
      text.remove_prefix(1);
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n\"\\"), text.size());
      line += escape_for_log(text.substr(0, end), end);
      text.remove_prefix(end);
    }
  }
  if (is_cut) line += "…";
  return line;
}

}  // namespace mizan
