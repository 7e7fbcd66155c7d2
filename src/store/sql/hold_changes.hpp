#pragma once

#include "mizan/plan.hpp"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace mizan::sql {

/// What a plan does to holds, each once: where it makes a hold and goes on with it, only the hold's
/// last state is written.
class HoldChanges {
 public:
  struct Change {
    const OperationId* operation = nullptr;  ///< The first one that touches the hold.
    HoldChange change;
  };

  /// False where the change does not go on from what the plan did to the hold before.
  [[nodiscard]] bool add(const HoldChange& change, const OperationId& operation);

  [[nodiscard]] const std::vector<Change>& created() const noexcept { return created_; }

  [[nodiscard]] const std::vector<Change>& changed() const noexcept { return changed_; }

 private:
  struct Place {
    bool is_created = false;
    std::size_t index = 0;
  };

  std::vector<Change> created_;
  std::vector<Change> changed_;
  std::unordered_map<OperationId, Place> places_;
};

}  // namespace mizan::sql
