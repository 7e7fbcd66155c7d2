#include "http/target.hpp"

#include "base/percent.hpp"

#include <algorithm>

namespace mizan::http {

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
