#include "prover/presence.hpp"

#include <utility>

namespace mizan::prover {

Result<Presence> Presence::open(const std::vector<std::string>& urls) {
  Presence presence;
  presence.urls_ = urls;
  for (const std::string& url : urls) {
    auto session = SqlLink::open(url);
    if (!session) return std::move(session).error();
    presence.sessions_.push_back(std::move(*session));
  }
  return presence;
}

std::string Presence::absence() {
  std::string why;
  for (std::size_t index = 0; index < urls_.size(); ++index) {
    auto& session = sessions_[index];
    if (session != nullptr && session->is_alive()) continue;
    auto again = SqlLink::open(urls_[index]);
    why = again ? "the server went away and came back"
                : "the server went away: " + again.error().detail;
    session = again ? std::move(*again) : nullptr;
  }
  return why;
}

void excuse(ScenarioResult& result, const std::string& absence) {
  if (absence.empty()) return;
  if (result.verdict == Verdict::pass || result.verdict == Verdict::skipped) return;
  for (const auto& [name, checked] : result.invariants) {
    const bool is_content = name != "expected";
    if (is_content && !checked.violations.empty()) return;
  }
  result.verdict = Verdict::inconclusive;
  result.reason = absence;
}

}  // namespace mizan::prover
