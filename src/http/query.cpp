#include "http/query.hpp"

#include "base/text.hpp"
#include "json/document.hpp"

#include <algorithm>
#include <utility>

namespace mizan::http {

json::Parsed<Query> Query::read(std::string_view target,
                                std::initializer_list<std::string_view> allowed) {
  auto items = query_of(target);
  if (!items) return bad_parameter("", "the query has a percent sign that is no escape");
  Query query;
  for (QueryItem& item : *items) {
    if (std::find(allowed.begin(), allowed.end(), item.first) == allowed.end()) {
      return json::InvalidRequest{{{json::pointer_to("", item.first),
                                    json::field_code::unknown_field,
                                    "there is no such parameter here"}}};
    }
    if (query.find(item.first) != nullptr) {
      return json::InvalidRequest{{{json::pointer_to("", item.first),
                                    json::field_code::duplicate_key,
                                    "the parameter stands twice"}}};
    }
    query.items_.push_back(std::move(item));
  }
  return query;
}

const std::string* Query::find(std::string_view name) const {
  const auto found = std::find_if(
      items_.begin(), items_.end(), [name](const QueryItem& item) { return item.first == name; });
  return found == items_.end() ? nullptr : &found->second;
}

json::Parsed<std::size_t> Query::limit() const {
  constexpr std::size_t usual = 50;
  constexpr std::size_t most = 1'000;
  const std::string* text = find("limit");
  if (text == nullptr) return usual;
  const auto number = parse_unsigned(*text);
  if (number && *number >= 1 && *number <= most) return static_cast<std::size_t>(*number);
  return bad_parameter("limit", "a whole number from 1 to 1000 is expected here");
}

json::InvalidRequest bad_parameter(std::string_view name, std::string detail) {
  std::string pointer = name.empty() ? std::string() : json::pointer_to("", name);
  return {{{std::move(pointer), json::field_code::invalid_value, std::move(detail)}}};
}

}  // namespace mizan::http
