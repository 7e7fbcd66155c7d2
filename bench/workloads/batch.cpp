#include "bench/workloads/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mizan::bench {

namespace {

/// A small batch is slow, and needs fewer transfers for a steady figure.
std::uint64_t transfers_for(std::size_t batch, std::uint64_t at_largest) {
  if (batch >= 8'000) return at_largest;
  if (batch >= 1'000) return std::max<std::uint64_t>(at_largest / 2, batch);
  if (batch > 1) return std::max<std::uint64_t>(at_largest / 5, batch);
  return std::max<std::uint64_t>(at_largest / 50, 1);
}

Result<Cell> measure(const Run& run, Yardstick& yardstick, std::size_t batch) {
  auto target = run.make_target(run.sizes.wallets);
  if (!target) return std::move(target).error();
  const Pairing pairing = Pairing::uniform(run.sizes.wallets);
  const auto before = yardstick.read(pairing);
  if (!before) return before.error();
  TransferSource source((*target)->wallets(), {pairing, IdOrder::time_ordered, batch});
  Limits limits;
  limits.transfers_max = transfers_for(batch, run.sizes.batch_transfers);
  limits.seconds_max = run.sizes.batch_seconds;
  limits.warm_up_seconds = run.sizes.warm_up_seconds;
  run.report.progress(fmt::format("batches of {}", batch));
  const auto result = run_batches((*target)->ledger(), source, batch, limits);
  if (!result) return result.error();
  const auto after = yardstick.read(pairing);
  if (!after) return after.error();
  run.report.progress("verifying");
  if (auto verified = (*target)->verify(result->applied); !verified) {
    return std::move(verified).error();
  }
  const auto bytes = (*target)->bytes_per_transfer(result->applied);
  if (!bytes) return bytes.error();
  Cell cell = run.make_cell(**target);
  cell.workload = "batch";
  cell.step = fmt::format("batch {}", group_digits(batch));
  cell.strategy = Strategy::batched;
  cell.batch = batch;
  cell.bytes_per_transfer = *bytes;
  set_result(cell, *result);
  compare(cell, *before, *after);
  return cell;
}

}  // namespace

Status run_batch(const Run& run) {
  run.report.begin(fmt::format("batch: one caller, {} wallets, {}",
                               group_digits(run.sizes.wallets),
                               to_string(run.options.store)));
  auto yardstick = Yardstick::make(run.options, run.sizes, run.sizes.wallets);
  if (!yardstick) return std::move(yardstick).error();
  for (const std::size_t batch : run.sizes.batches) {
    auto cell = measure(run, **yardstick, batch);
    if (!cell) return std::move(cell).error();
    run.report.add(std::move(*cell));
  }
  return (*yardstick)->verify();
}

}  // namespace mizan::bench
