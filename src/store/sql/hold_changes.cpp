#include "store/sql/hold_changes.hpp"

namespace mizan::sql {

bool HoldChanges::add(const HoldChange& change, const OperationId& operation) {
  const bool creates = change.kind == HoldChange::Kind::create;
  std::vector<Change>& target = creates ? created_ : changed_;
  const auto [place, added] = places_.try_emplace(change.after.id, Place{creates, target.size()});
  if (added) {
    target.push_back({&operation, change});
    return true;
  }
  if (creates) return false;
  const Place known = place->second;
  HoldRecord& before = (known.is_created ? created_ : changed_)[known.index].change.after;
  if (before.status != change.status_before || before.captured != change.captured_before) {
    return false;
  }
  before = change.after;
  return true;
}

}  // namespace mizan::sql
