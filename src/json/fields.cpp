#include "json/fields.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace mizan::json {

namespace {

bool is_number_or_string(const Node& node) noexcept {
  return node.kind() == Node::Kind::integer || node.kind() == Node::Kind::decimal ||
         node.kind() == Node::Kind::string;
}

void add_problem(std::vector<FieldProblem>& problems, FieldProblem problem) {
  if (problems.size() < Fields::problems_max) problems.push_back(std::move(problem));
}

}  // namespace

Fields::Fields(const Node& node, std::string pointer, std::vector<FieldProblem>& problems)
    : node_(node), pointer_(std::move(pointer)), problems_(problems) {
  if (!node.is_object()) {
    add_problem(problems_,
                {pointer_,
                 field_code::wrong_type,
                 "an object is expected here, not " + std::string(node.kind_name())});
  }
}

bool Fields::has(std::string_view key) const noexcept {
  return node_.find(key) != nullptr;
}

const Node* Fields::find(std::string_view key, Presence presence) {
  asked_.push_back(key);
  const Node* node = node_.find(key);
  const bool is_missing = node == nullptr && presence == Presence::required && node_.is_object();
  if (is_missing) report(key, field_code::missing, "this field is required");
  return node;
}

std::optional<MinorUnits> Fields::amount(std::string_view key, Presence presence) {
  const Node* node = find(key, presence);
  if (node == nullptr) return std::nullopt;
  if (!is_number_or_string(*node)) {
    report(key,
           field_code::wrong_type,
           "an amount is a string of minor units such as \"1234\", or an integer, not " +
               std::string(node->kind_name()));
    return std::nullopt;
  }
  return accept(key, parse_minor_units(node->text()));
}

std::optional<std::optional<MinorUnits>> Fields::nullable_amount(std::string_view key) {
  const Node* node = node_.find(key);
  if (node != nullptr && node->kind() == Node::Kind::null) {
    asked_.push_back(key);
    return std::optional<MinorUnits>{};
  }
  if (node != nullptr && node->kind() == Node::Kind::string && node->text() == "none") {
    asked_.push_back(key);
    report(key, field_code::invalid_value, "in JSON null stands for no limit, not \"none\"");
    return std::nullopt;
  }
  const std::optional<MinorUnits> units = amount(key, Presence::optional);
  if (!units) return std::nullopt;
  return std::optional(units);
}

std::optional<std::uint64_t> Fields::counter(std::string_view key,
                                             Presence presence,
                                             std::uint64_t least,
                                             std::uint64_t most) {
  const Node* node = find(key, presence);
  if (node == nullptr) return std::nullopt;
  const bool is_integer = node->kind() == Node::Kind::integer;
  const std::optional<std::uint64_t> number =
      is_integer ? parse_unsigned(node->text()) : std::nullopt;
  if (number && *number >= least && *number <= most) return number;
  report(key,
         is_integer ? field_code::out_of_range : field_code::wrong_type,
         "a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
             " is expected here");
  return std::nullopt;
}

std::optional<FenceToken> Fields::token(std::string_view key) {
  const Node* node = find(key, Presence::required);
  if (node == nullptr) return std::nullopt;
  if (!is_number_or_string(*node)) {
    report(key,
           field_code::wrong_type,
           "a fencing token is an integer, not " + std::string(node->kind_name()));
    return std::nullopt;
  }
  return accept(key, parse_fence_token(node->text()));
}

std::optional<bool> Fields::boolean(std::string_view key) {
  const Node* node = find(key, Presence::optional);
  if (node == nullptr || !require_kind(*node, key, Node::Kind::boolean)) return std::nullopt;
  return node->text() == "true";
}

std::optional<Metadata> Fields::metadata(std::string_view key) {
  const Node* node = find(key, Presence::optional);
  if (node == nullptr || !require_kind(*node, key, Node::Kind::object)) return std::nullopt;
  std::vector<Metadata::Item> items;
  for (const auto& [name, value] : node->members()) {
    if (value.kind() != Node::Kind::string) {
      add_problem(problems_,
                  {pointer_to(pointer(key), name),
                   field_code::wrong_type,
                   "metadata values are strings, not " + std::string(value.kind_name())});
      return std::nullopt;
    }
    items.emplace_back(name, value.text());
  }
  auto metadata = Metadata::make(std::move(items));
  if (metadata) return *std::move(metadata);
  const Error& error = metadata.error();
  // The rules name the field as `/metadata` or as a member of it.
  const std::size_t parent = error.where.rfind('/');
  const std::string member = parent == 0 ? std::string() : error.where.substr(parent);
  add_problem(problems_, {pointer(key) + member, field_code::invalid_value, error.detail});
  return std::nullopt;
}

const std::vector<Node>* Fields::array(std::string_view key,
                                       Presence presence,
                                       std::size_t least,
                                       std::size_t most) {
  const Node* node = find(key, presence);
  if (node == nullptr || !require_kind(*node, key, Node::Kind::array)) return nullptr;
  const std::size_t size = node->items().size();
  if (size >= least && size <= most) return &node->items();
  report(key,
         field_code::out_of_range,
         std::to_string(least) + " to " + std::to_string(most) + " items are expected here, not " +
             std::to_string(size));
  return nullptr;
}

void Fields::report(std::string_view key, std::string_view code, std::string detail) {
  add_problem(problems_, {pointer(key), code, std::move(detail)});
}

void Fields::finish() {
  for (const auto& [key, value] : node_.members()) {
    const bool is_asked = std::find(asked_.begin(), asked_.end(), key) != asked_.end();
    if (!is_asked) report(key, field_code::unknown_field, "there is no such field here");
  }
}

bool Fields::require_kind(const Node& node, std::string_view key, Node::Kind kind) {
  if (node.kind() == kind) return true;
  report(key,
         field_code::wrong_type,
         std::string(Node(kind).kind_name()) + " is expected here, not " +
             std::string(node.kind_name()));
  return false;
}

}  // namespace mizan::json
