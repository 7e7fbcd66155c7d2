#pragma once

#include "mizan/store.hpp"

#include "base/mutex.hpp"
#include "prover/mutants/forward.hpp"
#include "prover/rendezvous.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace mizan::prover {

/// What all transactions of one mutant store share.
struct Shared {
  Store* store = nullptr;  ///< The store as it is.
  StepHook on_step;
  std::atomic<std::uint64_t> renamed{0};
  Mutex mutex;
  std::unique_ptr<Transaction> acknowledged MIZAN_GUARDED_BY(mutex);
  std::map<OperationId, HoldRecord> created_holds MIZAN_GUARDED_BY(mutex);
  Rendezvous first_lock{2};  ///< Where two transactions hold one row each.
};

/// The states as they are now, in the order of the plan's wallets.
[[nodiscard]] Result<std::vector<WalletState>> current_states(Transaction& transaction,
                                                              const Plan& plan,
                                                              LoadLock lock = LoadLock::none);

/// Leaves a wallet of a plan as it is stored.
void leave_alone(WalletChange& change, const WalletState& now);

using Wrap = std::function<std::unique_ptr<Transaction>(std::unique_ptr<Transaction>, Shared&)>;

template <class Mutant>
Wrap wrap_plain() {
  return [](std::unique_ptr<Transaction> base, Shared&) -> std::unique_ptr<Transaction> {
    return std::make_unique<Mutant>(std::move(base));
  };
}

template <class Mutant>
Wrap wrap_shared() {
  return [](std::unique_ptr<Transaction> base, Shared& shared) -> std::unique_ptr<Transaction> {
    return std::make_unique<Mutant>(std::move(base), shared);
  };
}

/// The mutants that only servers can show.
[[nodiscard]] std::map<std::string_view, Wrap> server_wraps();

}  // namespace mizan::prover
