#include "cli/arguments.hpp"

#include "base/assert.hpp"

#include <utility>

namespace mizan::cli {

void Arguments::add(std::string name, std::vector<std::string> values) {
  values_.insert_or_assign(std::move(name), std::move(values));
}

bool Arguments::has(std::string_view name) const {
  return values_.find(name) != values_.end();
}

std::optional<std::string> Arguments::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

std::string Arguments::require(std::string_view name) const {
  const auto value = find(name);
  MIZAN_ASSERT(value.has_value());
  return *value;
}

const std::vector<std::string>& Arguments::all(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

}  // namespace mizan::cli
