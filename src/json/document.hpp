#pragma once

#include "json/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::json {

inline constexpr std::size_t depth_max = 32;         ///< Of arrays and objects in each other.
inline constexpr std::size_t members_max = 256;      ///< Of one object.
inline constexpr std::size_t nodes_max = 2'000'000;  ///< Of one document.

/// One value of a JSON text that was read. Numbers stay the text that they were, so that no digit
/// is lost on the way. Immutable once read; a value type.
class Node {
 public:
  enum class Kind : std::uint8_t { null, boolean, integer, decimal, string, array, object };
  using Member = std::pair<std::string, Node>;

  Node() = default;

  explicit Node(Kind kind, std::string text = {}) : kind_(kind), text_(std::move(text)) {}

  [[nodiscard]] Kind kind() const noexcept { return kind_; }

  [[nodiscard]] bool is_object() const noexcept { return kind_ == Kind::object; }

  /// "a string", "an array" …, for messages.
  [[nodiscard]] std::string_view kind_name() const noexcept;

  /// A string's content; the digits of a number; "true" or "false".
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Of an array, else empty.
  [[nodiscard]] const std::vector<Node>& items() const noexcept { return items_; }

  /// Of an object in the order of the text, keys unique; else empty.
  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }

  /// The member of that name, or null.
  [[nodiscard]] const Node* find(std::string_view key) const noexcept;

 private:
  friend class DocumentReader;

  Kind kind_ = Kind::null;
  std::string text_;
  std::vector<Node> items_;
  std::vector<Member> members_;
};

/// Reads one JSON text (RFC 8259) as a whole. Refuses, beside what is not JSON or not UTF-8: keys
/// that repeat, and what crosses the limits above. Never throws.
[[nodiscard]] Parsed<Node> parse_document(std::string_view text);

/// A long array of the object at the top of a document, whose items are not kept.
struct LongArray {
  std::string_view key;
  std::size_t items_max = 0;
  std::size_t item_nodes_max = 0;  ///< Of one item.

  /// Given each item as soon as it was read.
  std::function<void(const Node& item, std::size_t index)> take;
};

/// As `parse_document`, in memory for one item of the long array at a time; empty nodes stand for
/// them in what is answered. Ends at the first item that is too many. What was given to `take`
/// means nothing where this refuses.
[[nodiscard]] Parsed<Node> parse_document(std::string_view text, const LongArray& array);

/// The pointer extended by a key, escaped by RFC 6901, or by an index.
[[nodiscard]] std::string pointer_to(std::string_view parent, std::string_view key);
[[nodiscard]] std::string pointer_to(std::string_view parent, std::size_t index);

}  // namespace mizan::json
