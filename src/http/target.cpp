#include "http/target.hpp"

#include <algorithm>

namespace mizan::http {
namespace {

int digit_of(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit_of(text[i + 1]);
    const int low = digit_of(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::string_view path_of(std::string_view target) noexcept {
  return target.substr(0, target.find_first_of("?#"));
}

std::optional<std::vector<QueryItem>> query_of(std::string_view target) {
  std::vector<QueryItem> items;
  const std::size_t question = target.find('?');
  if (question == std::string_view::npos) return items;
  std::string_view rest = target.substr(question + 1);
  rest = rest.substr(0, rest.find('#'));
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    if (item.empty()) continue;
    const std::size_t equals = std::min(item.find('='), item.size());
    const auto name = percent_decoded(item.substr(0, equals));
    const auto value = percent_decoded(item.substr(std::min(equals + 1, item.size())));
    if (!name || !value) return std::nullopt;
    items.emplace_back(*name, *value);
  }
  return items;
}

}  // namespace mizan::http
