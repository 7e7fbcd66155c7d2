#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::http {

/// The hosts whose requests a server answers (docs/decisions/0027). A page of a foreign site can
/// let a name of its own lead to this machine; what a browser then sends has that name in `Host`.
/// Immutable; any thread.
class AllowedHosts {
 public:
  /// IP addresses, names without a dot and these names; absent: every host.
  explicit AllowedHosts(std::optional<std::vector<std::string>> names);

  /// `host` is what the header says, with or without a port.
  [[nodiscard]] bool has(std::string_view host) const;

 private:
  std::optional<std::vector<std::string>> names_;  // In lower case.
};

/// May it be a host's name: letters, digits, dots, hyphens and underscores, no port?
[[nodiscard]] bool is_host_name(std::string_view name);

}  // namespace mizan::http
