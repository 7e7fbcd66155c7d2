#pragma once

#include "cli/settings.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::serve {

/// The service manager that started us, if one did: sd_notify(3)'s protocol, datagrams to the
/// socket that NOTIFY_SOCKET names. Without one everything here does nothing.
class ServiceManager {
 public:
  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  explicit ServiceManager(const cli::Environment& environment);

  /// e.g. "READY=1". Never blocks; a manager that does not listen is not waited for.
  void tell(std::string_view state) const noexcept;

  /// How often "WATCHDOG=1" must be told: half of what the manager waits. Nothing: not at all.
  [[nodiscard]] std::optional<std::chrono::milliseconds> watchdog() const noexcept {
    return watchdog_;
  }

 private:
  std::string socket_;
  std::optional<std::chrono::milliseconds> watchdog_;
};

}  // namespace mizan::serve
