#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::integration {

/// Metrics as Prometheus would read them: its text format, version 0.0.4, and its conventions for
/// names.
struct Exposition {
  std::map<std::string, double> samples;  ///< By name with labels, as it stands in the text.
  std::map<std::string, std::string> types;
  std::vector<std::string> problems;  ///< Empty: the text keeps to every rule.

  /// 0 where there is no such sample.
  [[nodiscard]] double value(const std::string& sample) const;
};

[[nodiscard]] Exposition read_exposition(std::string_view text);

}  // namespace mizan::integration
