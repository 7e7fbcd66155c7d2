#pragma once

#include "mizan/ids.hpp"
#include "mizan/metadata.hpp"
#include "mizan/money.hpp"
#include "mizan/result.hpp"

#include "json/document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::json {

enum class Presence : std::uint8_t { required, optional };

/// Reads the fields of one object of a request and collects what is wrong with them, so that a
/// caller hears of everything at once. A field that is wrong reads as absent; whoever uses the
/// values asks the collected problems first. One thread at a time; refers to its arguments.
class Fields {
 public:
  static constexpr std::size_t problems_max = 100;

  /// A node that is not an object is a problem, and then has no fields.
  Fields(const Node& node, std::string pointer, std::vector<FieldProblem>& problems);

  [[nodiscard]] bool has(std::string_view key) const noexcept;

  /// The member; a missing one that is required is a problem.
  const Node* find(std::string_view key, Presence presence);

  /// A string that `parse` accepts.
  template <class T>
  std::optional<T> text(std::string_view key,
                        Presence presence,
                        Result<T> (*parse)(std::string_view)) {
    const Node* node = find(key, presence);
    if (node == nullptr || !require_kind(*node, key, Node::Kind::string)) return std::nullopt;
    return accept(key, parse(node->text()));
  }

  /// Minor units: a string of digits or an integer token.
  std::optional<MinorUnits> amount(std::string_view key, Presence presence);

  /// A limit that may be null for "none": outer nothing where the field is absent.
  std::optional<std::optional<MinorUnits>> nullable_amount(std::string_view key);

  /// An integer token of `least` … `most`.
  std::optional<std::uint64_t> counter(std::string_view key,
                                       Presence presence,
                                       std::uint64_t least,
                                       std::uint64_t most);

  /// A fencing token: an integer token or a string of digits.
  std::optional<FenceToken> token(std::string_view key);

  std::optional<bool> boolean(std::string_view key);

  std::optional<Metadata> metadata(std::string_view key);

  /// The items of an array of `least` … `most`, or null.
  const std::vector<Node>* array(std::string_view key,
                                 Presence presence,
                                 std::size_t least,
                                 std::size_t most);

  void report(std::string_view key, std::string_view code, std::string detail);

  /// Reports every member that nobody asked for. Call it last.
  void finish();

  [[nodiscard]] std::string pointer(std::string_view key) const {
    return pointer_to(pointer_, key);
  }

  [[nodiscard]] std::vector<FieldProblem>& problems() noexcept { return problems_; }

 private:
  bool require_kind(const Node& node, std::string_view key, Node::Kind kind);

  template <class T>
  std::optional<T> accept(std::string_view key, Result<T> result) {
    if (result) return std::move(result).value();
    report(key, field_code::invalid_value, std::move(result).error().detail);
    return std::nullopt;
  }

  const Node& node_;
  std::string pointer_;
  std::vector<FieldProblem>& problems_;
  std::vector<std::string_view> asked_;
};

}  // namespace mizan::json
