#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mizan::testkit {

/// While it lives, every process of this name that was started by the present one, or by a process
/// that it has started, is frozen (SIGSTOP): the system goes on accepting connections for it, and
/// nobody answers.
class FrozenPrograms {
 public:
  explicit FrozenPrograms(std::string_view name);
  FrozenPrograms(const FrozenPrograms&) = delete;
  FrozenPrograms& operator=(const FrozenPrograms&) = delete;
  ~FrozenPrograms();

  [[nodiscard]] bool empty() const noexcept { return frozen_.empty(); }

 private:
  std::vector<int> frozen_;  // Process ids.
};

}  // namespace mizan::testkit
