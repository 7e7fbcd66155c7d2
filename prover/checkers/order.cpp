// I8, I10 and I11: order by token, order in real time, and what a crash may not undo.

#include "prover/checkers/checkers.hpp"
#include "prover/checkers/result.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace mizan::prover {

namespace {

struct Applied {
  const Call* call = nullptr;
  Sequence sequence;
};

/// The calls that were applied (by their own answer `applied`), in commit order.
std::vector<Applied> applied_in_order(const Evidence& evidence) {
  std::map<OperationId, Sequence> first_leg;
  for (const LegImage& leg : evidence.image.journal) {
    first_leg.emplace(leg.operation, leg.sequence);
  }
  std::vector<Applied> applied;
  for (const Call& call : evidence.calls) {
    const auto found = first_leg.find(call.operation.id);
    if (call.code != Code::applied || found == first_leg.end()) continue;
    applied.push_back({&call, found->second});
  }
  std::stable_sort(applied.begin(), applied.end(), [](const Applied& a, const Applied& b) {
    return a.sequence < b.sequence;
  });
  return applied;
}

std::string name_of(const Call& call) {
  return "operation " + call.operation.id.str();
}

}  // namespace

CheckResult check_fences(const Evidence& evidence) {
  CheckResult result = result_for("I8");
  std::map<Resource, Grant> newest_grant;
  for (const Grant& grant : evidence.grants) {
    const auto [found, is_first] = newest_grant.emplace(grant.resource, grant);
    if (is_first) continue;
    const bool same_owner = found->second.owner == grant.owner;
    expect(result,
           grant.token > found->second.token || (same_owner && grant.token == found->second.token),
           grant.resource.str() + " was granted with token " + digits(grant.token) + " after " +
               digits(found->second.token));
    found->second = grant;
  }
  std::map<Resource, Fence> newest_applied;
  for (const Applied& applied : applied_in_order(evidence)) {
    if (!applied.call->held) continue;
    const Fence& held = *applied.call->held;
    const auto [found, is_first] = newest_applied.emplace(held.resource, held);
    if (is_first) continue;
    expect(result,
           held.token >= found->second.token,
           name_of(*applied.call) + " was applied under token " + digits(held.token) + " of " +
               held.resource.str() + " after token " + digits(found->second.token));
    if (held.token > found->second.token) found->second = held;
  }
  return result;
}

CheckResult check_real_time(const Evidence& evidence) {
  CheckResult result = result_for("I10");
  const std::vector<Applied> applied = applied_in_order(evidence);
  // From the last to the first: nothing that committed later may have been over before this one
  // was asked for. The journal is one order for all wallets, so this covers each of them.
  const Call* earliest_end = nullptr;
  for (auto current = applied.rbegin(); current != applied.rend(); ++current) {
    const Call& call = *current->call;
    if (earliest_end != nullptr) {
      expect(result,
             earliest_end->ended >= call.invoked,
             name_of(*earliest_end) + " was over before " + name_of(call) +
                 " began, but stands behind it in the journal");
    }
    if (earliest_end == nullptr || call.ended < earliest_end->ended) earliest_end = &call;
  }
  return result;
}

CheckResult check_durability(const Evidence& evidence) {
  CheckResult result = result_for("I11");
  for (const OperationId& id : evidence.acked_before_crash) {
    const bool in_journal = std::any_of(evidence.image.journal.begin(),
                                        evidence.image.journal.end(),
                                        [&id](const LegImage& leg) { return leg.operation == id; });
    expect(result,
           in_journal || evidence.image.operations.contains(id),
           "operation " + id.str() + " was acknowledged before the crash and is gone");
  }
  return result;
}

}  // namespace mizan::prover
