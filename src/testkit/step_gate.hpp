#pragma once

#include "mizan/clock.hpp"
#include "mizan/store.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mizan::testkit {

/// Stops whoever comes to a named step until the test lets it go. Give `hook()` to a store or a
/// ledger; the gate must outlive it. Any thread may call. Destruction requires that nobody waits.
class StepGate {
 public:
  StepGate() = default;
  StepGate(const StepGate&) = delete;
  StepGate& operator=(const StepGate&) = delete;
  ~StepGate() = default;

  [[nodiscard]] StepHook hook();

  /// From now on the next one to come to `step` stops there. One step at a time.
  void close(std::string_view step);

  /// Blocks until somebody stands at the closed step; false when nobody came before the deadline.
  [[nodiscard]] bool wait_until_reached(Deadline deadline);

  /// Lets the one that stands there go on, and stops nobody any more.
  void open();

  /// How often a step was passed or reached.
  [[nodiscard]] std::size_t count(std::string_view step) const;

 private:
  void arrive(std::string_view step);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> closed_;
  bool occupied_ = false;
  std::map<std::string, std::size_t, std::less<>> counts_;
};

}  // namespace mizan::testkit
