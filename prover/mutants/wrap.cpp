#include "prover/mutants/wrap.hpp"

namespace mizan::prover {

Result<std::vector<WalletState>> current_states(Transaction& transaction,
                                                const Plan& plan,
                                                LoadLock lock) {
  std::vector<WalletNumber> numbers;
  for (const WalletChange& change : plan.wallets) numbers.push_back(change.after.number);
  auto loaded = transaction.load_wallets_by_number(numbers, lock);
  if (!loaded) return loaded.error();
  std::vector<WalletState> states;
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    states.push_back((*loaded)[index].value_or(plan.wallets[index].after));
  }
  return states;
}

void leave_alone(WalletChange& change, const WalletState& now) {
  const std::uint64_t revision = change.after.revision;
  change.after = now;
  change.after.revision = revision;
  change.balance_changed = false;
}

}  // namespace mizan::prover
