#pragma once

#include <functional>
#include <optional>
#include <string>

namespace mizan::conformance {

/// A server that a candidate needs; nothing by default.
struct NeededServer {
  std::string name;  ///< As MIZAN_REQUIRE names it.

  /// Why it cannot be started on this machine, naming the package; nothing where it can.
  std::function<std::optional<std::string>()> why_missing;
};

/// Skips the running test, or fails it where MIZAN_REQUIRE names the server, when that is not
/// installed; then false: there is nothing to test.
[[nodiscard]] bool is_there(const NeededServer& server);

}  // namespace mizan::conformance
