#include "engine/late.hpp"

#include <string>
#include <utility>

namespace mizan::engine {

void WorkUnderWay::add(const Request& request) {
  contents_.emplace(request.operation->id, request.fingerprint);
}

void WorkUnderWay::add(const WorkUnderWay& others) {
  contents_.insert(others.contents_.begin(), others.contents_.end());
}

Error WorkUnderWay::answer_late(const Request& request, const char* where) const {
  const auto found = contents_.find(request.operation->id);
  if (found == contents_.end() || found->second != request.fingerprint) return out_of_time(where);
  return {
      Code::in_progress,
      Certainty::not_applied,
      Retry::after_backoff,
      where,
      "the same operation is being applied right now, longer than the deadline; repeat with the "
      "same id"};
}

Error out_of_time(const char* where) {
  return {Code::unavailable,
          Certainty::not_applied,
          Retry::after_backoff,
          where,
          "no time was left before the deadline; nothing was applied"};
}

Error commit_unknown(std::string_view said) {
  std::string detail =
      "the fate of the COMMIT could not be learnt; repeat with the same operation id, it is "
      "applied at most once";
  if (!said.empty()) detail.append("; the store said: ").append(said);
  return {Code::unknown, Certainty::unknown, Retry::after_backoff, "commit", std::move(detail)};
}

}  // namespace mizan::engine
