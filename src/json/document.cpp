#include "json/document.hpp"

#include "base/json_pointer.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace mizan::json {

namespace {

// No number that means anything here is longer.
constexpr std::size_t number_size_max = 64;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// May the byte stand in a string as it is, being one of ASCII?
bool is_plain(char c) noexcept {
  return c >= ' ' && c < '\x7f' && c != '"' && c != '\\';
}

/// How many digits the text begins with.
std::size_t count_digits(std::string_view text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

/// The size of the number that the text begins with, by the grammar of RFC 8259; 0 for none.
std::size_t number_size(std::string_view text, bool& is_integer) noexcept {
  std::size_t size = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = count_digits(text.substr(size));
  if (whole == 0 || (whole > 1 && text[size] == '0')) return 0;
  size += whole;
  is_integer = true;
  if (size < text.size() && text[size] == '.') {
    const std::size_t decimals = count_digits(text.substr(size + 1));
    if (decimals == 0) return 0;
    size += 1 + decimals;
    is_integer = false;
  }
  if (size < text.size() && (text[size] == 'e' || text[size] == 'E')) {
    ++size;
    if (size < text.size() && (text[size] == '+' || text[size] == '-')) ++size;
    const std::size_t exponent = count_digits(text.substr(size));
    if (exponent == 0) return 0;
    size += exponent;
    is_integer = false;
  }
  return size;
}

bool is_beyond_measure(std::string_view number) noexcept {
  double ignored = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), ignored);
  return number.size() > number_size_max || read.ec == std::errc::result_out_of_range;
}

}  // namespace

/// Reads a text once, from the left to the right, straight into nodes.
class DocumentReader {
 public:
  explicit DocumentReader(std::string_view text, const LongArray* long_array = nullptr) noexcept
      : text_(text), long_array_(long_array) {}

  [[nodiscard]] Parsed<Node> read() {
    Node root;
    skip_spaces();
    if (read_value(root)) {
      skip_spaces();
      if (at_ == text_.size()) return root;
    }
    if (!problem_) problem_ = not_json();
    return InvalidRequest{{*std::move(problem_)}};
  }

 private:
  [[nodiscard]] FieldProblem not_json() const {
    return {"",
            field_code::not_json,
            "this is not valid JSON in UTF-8, from byte " + std::to_string(at_ + 1) + " on"};
  }

  bool refuse(std::string pointer, std::string_view code, std::string detail) {
    problem_ = {std::move(pointer), code, std::move(detail)};
    return false;
  }

  void skip_spaces() noexcept {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  /// Passes over the character where it is the next one.
  bool take(char c) noexcept {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool read_value(Node& into) {
    if (++count_ > nodes_max) {
      return refuse("", field_code::out_of_range, "the document has too many values");
    }
    if (at_ >= text_.size()) return false;
    switch (text_[at_]) {
      case '{':
        return open(into, Node::Kind::object) && read_members(into);
      case '[':
        return open(into, Node::Kind::array) && read_items(into);
      case '"':
        into.kind_ = Node::Kind::string;
        return read_string(into.text_);
      case 't':
        return read_word(into, Node(Node::Kind::boolean, "true"), "true");
      case 'f':
        return read_word(into, Node(Node::Kind::boolean, "false"), "false");
      case 'n':
        return read_word(into, Node(Node::Kind::null), "null");
      default:
        return read_number(into);
    }
  }

  bool open(Node& into, Node::Kind kind) {
    into.kind_ = kind;
    if (open_.size() >= depth_max) {
      return refuse(place(), field_code::too_deep, "values nest at most 32 deep");
    }
    // Only the last child of an open node is open, so growing a parent never moves an open node.
    open_.push_back(&into);
    ++at_;
    skip_spaces();
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool read_members(Node& object) {
    constexpr std::size_t usual = 8;
    if (take('}')) return close();
    object.members_.reserve(usual);
    while (true) {
      if (!read_key(object)) return false;
      skip_spaces();
      if (!take(':')) return false;
      skip_spaces();
      if (!read_value(object.members_.back().second)) return false;
      skip_spaces();
      if (take('}')) return close();
      if (!take(',')) return false;
      skip_spaces();
    }
  }

  bool read_key(Node& object) {
    std::string key;
    if (at_ >= text_.size() || text_[at_] != '"' || !read_string(key)) return false;
    if (object.find(key) != nullptr) {
      return refuse(pointer_to(place(), key), field_code::duplicate_key, "the key stands twice");
    }
    if (object.members_.size() >= members_max) {
      return refuse(place(), field_code::out_of_range, "an object has at most 256 members");
    }
    object.members_.emplace_back(std::move(key), Node{});
    return true;
  }

  bool read_items(Node& array) {
    if (take(']')) return close();
    const bool is_long = is_long_array();
    while (true) {
      const std::size_t count_before = count_;
      if (is_long && !may_grow(array)) return false;
      if (!read_value(array.items_.emplace_back())) return false;
      if (is_long && !hand_on(array, count_ - count_before)) return false;
      skip_spaces();
      if (take(']')) return close();
      if (!take(',')) return false;
      skip_spaces();
    }
  }

  /// Is the innermost open array the one whose items are not kept?
  [[nodiscard]] bool is_long_array() const {
    return long_array_ != nullptr && open_.size() == 2 && open_.front()->is_object() &&
           open_.front()->members().back().first == long_array_->key;
  }

  bool may_grow(const Node& array) {
    if (array.items_.size() < long_array_->items_max) return true;
    return refuse(place(),
                  field_code::out_of_range,
                  "at most " + std::to_string(long_array_->items_max) + " items are expected here");
  }

  bool hand_on(Node& array, std::size_t nodes) {
    Node& item = array.items_.back();
    if (nodes > long_array_->item_nodes_max) {
      return refuse(pointer(), field_code::out_of_range, "the item has too many values");
    }
    long_array_->take(item, array.items_.size() - 1);
    item = Node{};
    return true;
  }

  bool read_word(Node& into, Node value, std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    into = std::move(value);
    return true;
  }

  bool read_number(Node& into) {
    bool is_integer = false;
    const std::size_t size = number_size(text_.substr(at_), is_integer);
    if (size == 0) return false;
    const std::string_view number = text_.substr(at_, size);
    const bool is_short_integer = is_integer && size <= number_size_max;
    if (!is_short_integer && is_beyond_measure(number)) {
      return refuse(pointer(), field_code::out_of_range, "the number is too large or too long");
    }
    at_ += size;
    into.kind_ = is_integer ? Node::Kind::integer : Node::Kind::decimal;
    into.text_ = number;
    return true;
  }

  bool read_string(std::string& into) {
    ++at_;  // The quote.
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
      into.append(text_, begin, at_ - begin);
      if (at_ == text_.size()) return false;
      if (take('"')) return true;
      const bool is_read = text_[at_] == '\\' ? read_escape(into) : read_code_point(into);
      if (!is_read) return false;
    }
    return false;
  }

  bool read_code_point(std::string& into) {
    const CodePoint point = first_code_point(text_.substr(at_));
    if (!point.valid || point.value < U' ') return false;
    into.append(text_, at_, point.size);
    at_ += point.size;
    return true;
  }

  bool read_escape(std::string& into) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    ++at_;  // The backslash.
    if (at_ >= text_.size()) return false;
    if (take('u')) return read_unicode_escape(into);
    const std::size_t index = names.find(text_[at_]);
    if (index == std::string_view::npos) return false;
    ++at_;
    into += meanings[index];
    return true;
  }

  /// The four digits at this place; nothing where they are none.
  std::optional<char32_t> read_unit() {
    constexpr std::size_t digits = 4;
    const std::string_view text = text_.substr(at_, digits);
    unsigned value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.size() != digits || read.ptr != text.data() + digits) return std::nullopt;
    at_ += digits;
    return static_cast<char32_t>(value);
  }

  /// One unit, or the two of a pair beyond the basic plane; never half of one.
  bool read_unicode_escape(std::string& into) {
    const auto unit = read_unit();
    if (!unit || (*unit >= 0xdc00 && *unit <= 0xdfff)) return false;
    if (*unit < 0xd800 || *unit > 0xdfff) {
      append_utf8(into, *unit);
      return true;
    }
    if (!take('\\') || !take('u')) return false;
    const auto low = read_unit();
    if (!low || *low < 0xdc00 || *low > 0xdfff) return false;
    append_utf8(into, 0x10000 + ((*unit - 0xd800) << 10U) + (*low - 0xdc00));
    return true;
  }

  static std::string step_into(const std::string& parent, const Node& node) {
    // The child that is being read is the last one.
    return node.is_object() ? pointer_to(parent, node.members().back().first)
                            : pointer_to(parent, node.items().size() - 1);
  }

  /// Of the innermost object or array that is open.
  [[nodiscard]] std::string place() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) text = step_into(text, *open_[i]);
    return text;
  }

  /// Of the value that is being read.
  [[nodiscard]] std::string pointer() const {
    return open_.empty() ? std::string() : step_into(place(), *open_.back());
  }

  std::string_view text_;
  const LongArray* long_array_;
  std::size_t at_ = 0;
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
  return DocumentReader(text).read();
}

Parsed<Node> parse_document(std::string_view text, const LongArray& array) {
  return DocumentReader(text, &array).read();
}

std::string pointer_to(std::string_view parent, std::string_view key) {
  return member_pointer(parent, key);
}

std::string pointer_to(std::string_view parent, std::size_t index) {
  return std::string(parent) + '/' + std::to_string(index);
}

}  // namespace mizan::json
