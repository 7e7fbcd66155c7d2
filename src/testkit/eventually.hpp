#pragma once

#include <chrono>
#include <functional>

namespace mizan::testkit {

/// Waits in real time until the condition holds; false when it does not within `patience`, which
/// is generous, because a busy machine is no failure.
[[nodiscard]] bool eventually(const std::function<bool()>& condition,
                              std::chrono::milliseconds patience = std::chrono::seconds{20});

}  // namespace mizan::testkit
