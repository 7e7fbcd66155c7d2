#include "prover/scenarios/adversary.hpp"

#include "mizan/clock.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace mizan::prover {

namespace {

constexpr int rows_written = 30;

}  // namespace

Result<Adversary> Adversary::begin(Store& store) {
  auto transaction = store.begin(system_clock().now() + std::chrono::seconds{20});
  if (!transaction) return std::move(transaction).error();
  for (int row = 0; row < rows_written; ++row) {
    NewWallet wallet;
    wallet.id = WalletId{"heavy-" + std::to_string(row)};
    wallet.currency = CurrencyCode{"EUR"};
    const auto written = (*transaction)->insert_wallet(wallet, system_clock().wall_now());
    if (!written) return written.error();
  }
  return Adversary(std::move(*transaction));
}

Status Adversary::lock_wallet(std::string_view wallet) {
  const WalletId ids[] = {WalletId{wallet}};
  const auto locked = transaction_->load_wallets(ids, LoadLock::update);
  if (!locked) return locked.error();
  return {};
}

Status Adversary::take_mark(const Fence& fence) {
  const auto taken = transaction_->advance_fence(fence);
  if (!taken) return taken.error();
  return {};
}

}  // namespace mizan::prover
