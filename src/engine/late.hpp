#pragma once

#include "engine/decider.hpp"

#include <string_view>
#include <unordered_map>

namespace mizan::engine {

/// Knows the operations that are still being worked on, to answer those that are out of time: one
/// that is being applied for somebody else right now is `in_progress`, any other `unavailable`.
/// Of neither has anything been applied by the request itself. One thread at a time.
class WorkUnderWay {
 public:
  void add(const Request& request);
  void add(const WorkUnderWay& others);

  [[nodiscard]] Error answer_late(const Request& request, const char* where) const;

  [[nodiscard]] bool empty() const noexcept { return contents_.empty(); }

  void clear() noexcept { contents_.clear(); }

 private:
  std::unordered_map<OperationId, Fingerprint> contents_;
};

[[nodiscard]] Error out_of_time(const char* where);

/// To a request whose commit nobody could be asked about. `said`: what that COMMIT answered, or one
/// before it.
[[nodiscard]] Error commit_unknown(std::string_view said);

}  // namespace mizan::engine
