#pragma once

#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"

#include "engine/attempt.hpp"

#include <functional>
#include <vector>

namespace mizan::engine {

/// What an operation locks, sorted and without repeats: by default the wallets that it debits
/// ("mizan:wallet/<id>"), with LockScope::both those it credits too; for captures and voids the
/// hold ("mizan:hold/<id>"), for reversals the operation ("mizan:operation/<id>"). No user can
/// state such a name (decision 0025).
[[nodiscard]] std::vector<Resource> resources_of(const Operation& operation, LockScope scope);

using ApplyFenced = std::function<Result<Outcome>(const Operation&)>;

/// Look the id up without any lock → acquire the locks in one canonical order → apply with their
/// tokens as fences → release, only after the commit. The lock saves duplicate work; what makes
/// the money right is in `apply`.
[[nodiscard]] Result<Outcome> apply_locked(const Context& context,
                                           const LedgerOptions& options,
                                           const Request& request,
                                           const ApplyFenced& apply);

}  // namespace mizan::engine
