#include "bench/workloads/workloads.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace mizan::bench {

namespace {

/// One number of callers between one kind of wallets.
struct Step {
  std::string_view workload;
  std::string_view label;
  Pairing pairing;
  std::size_t callers = 1;
};

CallerLoad load_of(const Run& run, const Step& step) {
  CallerLoad load;
  load.callers = step.callers;
  load.limits.transfers_max = run.sizes.callers_transfers;
  load.limits.seconds_max = run.sizes.callers_seconds;
  load.limits.warm_up_seconds = run.sizes.warm_up_seconds;
  load.source.pairing = step.pairing;
  load.rate_per_second = run.options.rate_per_second;
  return load;
}

Result<Cell> measure(const Run& run, Yardstick& yardstick, const Step& step) {
  auto target = run.make_target(run.sizes.wallets);
  if (!target) return std::move(target).error();
  const auto before = yardstick.read(step.pairing);
  if (!before) return before.error();
  run.report.progress(fmt::format("{}, {} callers", step.workload, step.callers));
  const auto result = run_callers((*target)->ledger(), (*target)->wallets(), load_of(run, step));
  if (!result) return result.error();
  const auto after = yardstick.read(step.pairing);
  if (!after) return after.error();
  run.report.progress("verifying");
  if (auto verified = (*target)->verify(result->applied); !verified) {
    return std::move(verified).error();
  }
  const auto bytes = (*target)->bytes_per_transfer(result->applied);
  if (!bytes) return bytes.error();
  Cell cell = run.make_cell(**target);
  cell.workload = std::string(step.workload);
  cell.step = fmt::format(
      "{} {}{}", group_digits(step.callers), step.callers == 1 ? "caller" : "callers", step.label);
  cell.strategy = Strategy::batched;
  cell.callers = step.callers;
  cell.bytes_per_transfer = *bytes;
  set_result(cell, *result);
  compare(cell, *before, *after);
  return cell;
}

Status measure_all(const Run& run, std::span<const Step> steps) {
  auto yardstick = Yardstick::make(run.options, run.sizes, run.sizes.wallets);
  if (!yardstick) return std::move(yardstick).error();
  for (const Step& step : steps) {
    auto cell = measure(run, **yardstick, step);
    if (!cell) return std::move(cell).error();
    run.report.add(std::move(*cell));
  }
  return (*yardstick)->verify();
}

}  // namespace

Status run_callers(const Run& run) {
  run.report.begin(fmt::format("callers: one transfer per call, {} wallets, {}",
                               group_digits(run.sizes.wallets),
                               to_string(run.options.store)));
  std::vector<Step> steps;
  for (const std::size_t callers : run.sizes.callers) {
    steps.push_back({"callers", "", Pairing::uniform(run.sizes.wallets), callers});
  }
  return measure_all(run, steps);
}

Status run_hot(const Run& run) {
  const std::size_t wallets = run.sizes.wallets;
  run.report.begin(fmt::format("hot: one wallet in every transfer, {} wallets, {}",
                               group_digits(wallets),
                               to_string(run.options.store)));
  std::vector<Step> steps;
  for (const std::size_t callers : run.sizes.callers) {
    // The even load beside it, so that both have the same weather.
    steps.push_back({"hot:uniform", ", uniform", Pairing::uniform(wallets), callers});
    steps.push_back({"hot:credit", ", credit", Pairing::credit_one(wallets), callers});
    steps.push_back({"hot:debit", ", debit", Pairing::debit_one(wallets), callers});
  }
  return measure_all(run, steps);
}

}  // namespace mizan::bench
