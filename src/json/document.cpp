#include "json/document.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace mizan::json {

namespace {

using Library = nlohmann::json;

FieldProblem whole_document(std::string_view code, std::string detail) {
  return {"", code, std::move(detail)};
}

FieldProblem not_json(std::size_t position) {
  return whole_document(
      field_code::not_json,
      "this is not valid JSON in UTF-8, from byte " + std::to_string(position) + " on");
}

}  // namespace

/// Builds nodes from the library's events; answering false ends the reading.
class DocumentReader {
 public:
  // The names and signatures of these are the library's.
  bool null() { return add(Node(Node::Kind::null)); }

  bool boolean(bool value) { return add(Node(Node::Kind::boolean, value ? "true" : "false")); }

  bool number_integer(Library::number_integer_t value) {
    return add(Node(Node::Kind::integer, std::to_string(value)));
  }

  bool number_unsigned(Library::number_unsigned_t value) {
    return add(Node(Node::Kind::integer, std::to_string(value)));
  }

  bool number_float(Library::number_float_t /*value*/, const std::string& text) {
    // An integer beyond 64 bits arrives here too; its text tells.
    const bool is_integer = text.find_first_of(".eE") == std::string::npos;
    return add(Node(is_integer ? Node::Kind::integer : Node::Kind::decimal, text));
  }

  bool string(std::string& text) { return add(Node(Node::Kind::string, std::move(text))); }

  static bool binary(Library::binary_t& /*bytes*/) { return false; }

  bool start_object(std::size_t /*size*/) { return open(Node::Kind::object); }

  bool key(std::string& text) {
    Node& object = *open_.back();
    if (object.find(text) != nullptr) {
      problem_ = {pointer_to(pointer(), text), field_code::duplicate_key, "the key stands twice"};
      return false;
    }
    if (object.members_.size() >= members_max) {
      problem_ = {pointer(), field_code::out_of_range, "an object has at most 256 members"};
      return false;
    }
    object.members_.emplace_back(std::move(text), Node{});
    return true;
  }

  bool end_object() { return close(); }

  bool start_array(std::size_t /*size*/) { return open(Node::Kind::array); }

  bool end_array() { return close(); }

  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const Library::exception& error) {
    constexpr int number_too_large = 406;  // The library's id of this error.
    problem_ = error.id == number_too_large
                   ? whole_document(field_code::out_of_range,
                                    "a number is too large at byte " + std::to_string(position))
                   : not_json(position);
    return false;
  }

  /// What stopped the reading, where something did.
  [[nodiscard]] const std::optional<FieldProblem>& problem() const noexcept { return problem_; }

  [[nodiscard]] Node take_root() { return std::move(root_); }

 private:
  /// Puts the node where the text has come to; answers its place there, or null at the limit.
  Node* place(Node node) {
    if (++count_ > nodes_max) {
      problem_ = whole_document(field_code::out_of_range, "the document has too many values");
      return nullptr;
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    Node& parent = *open_.back();
    if (parent.is_object()) {
      parent.members_.back().second = std::move(node);
      return &parent.members_.back().second;
    }
    return &parent.items_.emplace_back(std::move(node));
  }

  bool add(Node node) { return place(std::move(node)) != nullptr; }

  bool open(Node::Kind kind) {
    if (open_.size() >= depth_max) {
      problem_ = {pointer(), field_code::too_deep, "values nest at most 32 deep"};
      return false;
    }
    // Only the last child of an open node is open, so growing a parent never moves an open node.
    Node* const node = place(Node(kind));
    if (node == nullptr) return false;
    open_.push_back(node);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  [[nodiscard]] std::string pointer() const {
    std::string text;
    for (const Node* node : open_) {
      // The innermost one has the child that is being read, if any, as its last.
      if (node == open_.back()) break;
      text = node->is_object() ? pointer_to(text, node->members().back().first)
                               : pointer_to(text, node->items().size() - 1);
    }
    return text;
  }

  Node root_;
  std::vector<Node*> open_;
  std::size_t count_ = 0;
  std::optional<FieldProblem> problem_;
};

std::string_view Node::kind_name() const noexcept {
  switch (kind_) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a boolean";
    case Kind::integer:
    case Kind::decimal:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

const Node* Node::find(std::string_view key) const noexcept {
  const auto found = std::find_if(members_.begin(), members_.end(), [key](const Member& member) {
    return member.first == key;
  });
  return found == members_.end() ? nullptr : &found->second;
}

Parsed<Node> parse_document(std::string_view text) {
  // The library takes a NUL for the end of the text and would pass over whatever follows it.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) return InvalidRequest{{not_json(nul + 1)}};
  DocumentReader reader;
  const bool is_read = Library::sax_parse(text.begin(), text.end(), &reader);
  if (is_read) return reader.take_root();
  return InvalidRequest{{reader.problem().value_or(
      whole_document(field_code::not_json, "this is not a JSON document"))}};
}

std::string pointer_to(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer += '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string pointer_to(std::string_view parent, std::size_t index) {
  return std::string(parent) + '/' + std::to_string(index);
}

}  // namespace mizan::json
