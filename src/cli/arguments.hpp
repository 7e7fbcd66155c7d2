#pragma once

#include "mizan/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::cli {

/// What the parser found for one command. Immutable for the commands.
class Arguments {
 public:
  void add(std::string name, std::vector<std::string> values);

  void set_rest(std::vector<std::string> rest) { rest_ = std::move(rest); }

  /// Was the switch, option or argument given?
  [[nodiscard]] bool has(std::string_view name) const;

  /// The first value of an option ("--id") or argument ("WALLET").
  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;

  /// The value of something that the parser has made sure of.
  [[nodiscard]] std::string require(std::string_view name) const;

  /// All values of a repeatable option, in order; with three per use, three times as many.
  [[nodiscard]] const std::vector<std::string>& all(std::string_view name) const;

  /// What came after `--`, or everything for a command that takes everything.
  [[nodiscard]] const std::vector<std::string>& rest() const noexcept { return rest_; }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> rest_;
};

/// What the `errors` of a problem call an option or an argument: as the field of a JSON request, so
/// `WALLET` is "/wallet" and `--min-balance` is "/min_balance".
[[nodiscard]] std::string field_pointer(std::string_view name);

/// An `invalid_request` about this option or argument.
[[nodiscard]] Error bad_argument(std::string_view name, std::string detail);

/// The result; an error about its form is one about this field.
template <class T>
[[nodiscard]] Result<T> in_field(std::string pointer, Result<T> result) {
  if (result || result.error().code != Code::invalid_request) return result;
  Error error = std::move(result).error();
  error.where = std::move(pointer);
  return error;
}

/// The same, of a field that has parts: an error that names one of them names it here.
template <class T>
[[nodiscard]] Result<T> in_object(std::string pointer, Result<T> result) {
  if (!result && result.error().where.starts_with('/')) pointer += result.error().where;
  return in_field(std::move(pointer), std::move(result));
}

/// What `parse` makes of an argument or option that the parser has made sure of.
template <class T>
[[nodiscard]] Result<T> read_argument(const Arguments& arguments,
                                      std::string_view name,
                                      Result<T> (*parse)(std::string_view)) {
  return in_field(field_pointer(name), parse(arguments.require(name)));
}

}  // namespace mizan::cli
