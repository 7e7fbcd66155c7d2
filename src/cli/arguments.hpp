#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
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

}  // namespace mizan::cli
