#include "bench/transfer_source.hpp"

#include "mizan/clock.hpp"

#include "base/assert.hpp"

#include <fmt/format.h>

#include <variant>

namespace mizan::bench {

namespace {

constexpr std::uint64_t amount_max = 100;

std::size_t pick(SeededRandom& random, const WalletRange& range) {
  return range.first + static_cast<std::size_t>(random.below(range.count));
}

}  // namespace

WalletId wallet_name(std::size_t index) {
  return WalletId{fmt::format("wallet-{:07}", index)};
}

std::vector<WalletId> wallet_names(std::size_t count) {
  std::vector<WalletId> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(wallet_name(i));
  return names;
}

TransferSource::TransferSource(std::span<const WalletId> wallets, const Options& options)
    : wallets_(wallets), options_(options), random_(options.seed), uuids_(system_clock(), random_) {
  MIZAN_ASSERT(options.pairing.from.first + options.pairing.from.count <= wallets.size());
  MIZAN_ASSERT(options.pairing.to.first + options.pairing.to.count <= wallets.size());
}

OperationId TransferSource::next_id() {
  if (options_.ids == IdOrder::time_ordered) return OperationId{uuids_.next().view()};
  return OperationId{fmt::format("{:018x}{:018x}", random_.next(), random_.next())};
}

std::pair<std::size_t, std::size_t> TransferSource::next_wallets() {
  const std::size_t from = pick(random_, options_.pairing.from);
  std::size_t to = pick(random_, options_.pairing.to);
  while (to == from) to = pick(random_, options_.pairing.to);
  return {from, to};
}

std::int64_t TransferSource::next_amount() {
  return 1 + static_cast<std::int64_t>(random_.below(amount_max));
}

void TransferSource::refresh(Operation& operation) {
  const auto [from, to] = next_wallets();
  operation.id = next_id();
  Leg& leg = std::get<Transfer>(operation.body).legs.front();
  leg.from = wallets_[from];
  leg.to = wallets_[to];
  leg.amount = MinorUnits{next_amount()};
}

Operation blank_transfer() {
  Operation operation;
  operation.body = Transfer{{Leg{}}};
  return operation;
}

}  // namespace mizan::bench
