#include "bench/baseline/naive.hpp"
#include "bench/workloads/workloads.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace mizan::bench {

namespace {

CallerLoad load_of(const Run& run, std::size_t sources, std::size_t round) {
  CallerLoad load;
  load.callers = run.sizes.strategy_callers;
  load.limits.seconds_max = run.sizes.strategy_seconds;
  load.limits.transfers_max = run.sizes.callers_transfers;
  load.limits.warm_up_seconds = run.sizes.warm_up_seconds;
  load.source.pairing = Pairing::debit_few(sources, run.sizes.wallets);
  load.source.seed = 1 + round * load.callers;
  return load;
}

/// One ledger for all numbers of wallets; verified after them, reported then.
Status run_strategy(const Run& run, Yardstick& yardstick, Strategy strategy) {
  auto target = run.make_target(run.sizes.wallets, strategy);
  if (!target) return std::move(target).error();
  std::vector<Cell> cells;
  std::uint64_t applied = 0;
  for (const std::size_t sources : run.sizes.strategy_sources) {
    run.report.progress(fmt::format("{}, {} wallets", to_string(strategy), sources));
    const CallerLoad load = load_of(run, sources, cells.size());
    const auto before = yardstick.read(load.source.pairing);
    if (!before) return before.error();
    const auto result = run_callers((*target)->ledger(), (*target)->wallets(), load);
    if (!result) return result.error();
    applied += result->applied;
    const auto after = yardstick.read(load.source.pairing);
    if (!after) return after.error();
    Cell cell = run.make_cell(**target);
    cell.workload = "strategies";
    cell.step = fmt::format("{}, {}", to_string(strategy), group_digits(sources));
    cell.strategy = strategy;
    cell.callers = load.callers;
    cell.wallets = sources;
    if (result->retries > 0) {
      cell.note = fmt::format("{} repeated by the callers ", group_digits(result->retries));
    }
    set_result(cell, *result);
    compare(cell, *before, *after);
    cells.push_back(std::move(cell));
  }
  run.report.progress("verifying");
  if (auto verified = (*target)->verify(applied); !verified) return verified;
  for (Cell& cell : cells) run.report.add(std::move(cell));
  return {};
}

/// It does not verify, so it has no figure: what it lost is its result.
Status show_naive(const Run& run) {
  const auto wallets = wallet_names(run.sizes.wallets);
  std::size_t round = 0;
  for (const std::size_t sources : run.sizes.strategy_sources) {
    auto scratch = Scratch::make(run.options.directory);
    if (!scratch) return std::move(scratch).error();
    run.report.progress(fmt::format("naive, {} wallets", sources));
    const auto loss =
        run_naive(scratch->path() / "naive.db", wallets, load_of(run, sources, ++round));
    if (!loss) return loss.error();
    if (loss->wrong_wallets == 0) {
      run.report.note(fmt::format("naive, {}: {} transfers; by luck no money was lost this time",
                                  group_digits(sources),
                                  group_digits(loss->transfers)));
      continue;
    }
    run.report.note(fmt::format(
        "naive, {}: no figure: {} transfers were reported as done, {} wallet{} wrong, by {} units",
        group_digits(sources),
        group_digits(loss->transfers),
        group_digits(loss->wrong_wallets),
        loss->wrong_wallets == 1 ? " is" : "s are",
        group_digits(static_cast<std::uint64_t>(loss->amount))));
  }
  return {};
}

}  // namespace

Status run_strategies(const Run& run) {
  run.report.begin(fmt::format("strategies: {} callers, debits from all wallets down to one, {}",
                               run.sizes.strategy_callers,
                               to_string(run.options.store)));
  auto yardstick = Yardstick::make(run.options, run.sizes, run.sizes.wallets);
  if (!yardstick) return std::move(yardstick).error();
  for (const Strategy strategy :
       {Strategy::batched, Strategy::atomic, Strategy::optimistic, Strategy::pessimistic}) {
    if (auto done = run_strategy(run, **yardstick, strategy); !done) return done;
  }
  if (run.options.store == StoreKind::sqlite) {
    if (auto done = show_naive(run); !done) return done;
  }
  return (*yardstick)->verify();
}

}  // namespace mizan::bench
