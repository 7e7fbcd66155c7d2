#include "http/target.hpp"

#include "base/api_key.hpp"
#include "base/percent.hpp"

#include <algorithm>

namespace mizan::http {

std::string_view path_of(std::string_view target) noexcept {
  return target.substr(0, target.find_first_of("?#"));
}

std::optional<std::string_view> authority_of(std::string_view target) noexcept {
  constexpr std::string_view mark = "://";
  if (target.starts_with('/')) return std::nullopt;
  const std::size_t scheme = target.find(mark);
  if (scheme == std::string_view::npos) return std::nullopt;
  const std::string_view rest = target.substr(scheme + mark.size());
  return rest.substr(0, rest.find_first_of("/?#"));
}

std::string without_keys(std::string_view target) {
  std::string shown;
  for (;;) {
    const std::size_t key = std::min(target.find(api_key_mark), target.size());
    shown += target.substr(0, key);
    if (key == target.size()) return shown;
    shown.append(api_key_mark).append("***");
    target = target.substr(std::min(target.find_first_of("&/?#;,", key), target.size()));
  }
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
