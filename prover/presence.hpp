#pragma once

#include "mizan/result.hpp"

#include "prover/run.hpp"
#include "prover/servers/sql_link.hpp"

#include <memory>
#include <string>
#include <vector>

namespace mizan::prover {

/// Sessions that are held open for as long as scenarios run: they tell a server that was there all
/// the time from one that went away, or came back, meanwhile. One thread at a time.
class Presence {
 public:
  /// Empty for a store in files: then it is always there.
  [[nodiscard]] static Result<Presence> open(const std::vector<std::string>& urls);

  /// Why the scenario cannot be judged; empty where the servers were there all the time. Sessions
  /// that ended are made anew where that is possible.
  [[nodiscard]] std::string absence();

 private:
  std::vector<std::string> urls_;
  std::vector<std::unique_ptr<SqlLink>> sessions_;
};

/// What did not pass while a server was away proves nothing: INCONCLUSIVE, unless the store's
/// content itself was found to be wrong.
void excuse(ScenarioResult& result, const std::string& absence);

}  // namespace mizan::prover
