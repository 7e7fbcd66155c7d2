#include "cli/arguments.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mizan::cli {
namespace {

/// Options and arguments that a JSON request calls otherwise.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> other_names{{
    {"OP", "/operation"},
    {"--expires", "/expires_in"},
    {"--if-version", "/conditions"},
    {"--leg", "/legs"},
}};

char field_character(char c) {
  if (c == '-') return '_';
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string field_pointer(std::string_view name) {
  const auto other = std::find_if(other_names.begin(), other_names.end(), [name](const auto& row) {
    return row.first == name;
  });
  if (other != other_names.end()) return std::string(other->second);
  const std::size_t first = std::min(name.find_first_not_of('-'), name.size());
  std::string pointer = "/";
  for (const char c : name.substr(first)) pointer += field_character(c);
  return pointer;
}

Error bad_argument(std::string_view name, std::string detail) {
  return invalid_request(field_pointer(name), std::move(detail));
}

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
