#include "bench/interrupt.hpp"
#include "bench/workloads/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::bench {

namespace {

constexpr std::size_t batch = 1'000;
constexpr std::size_t filling_batch = 8'190;

/// One store that grows from point to point.
struct Series {
  std::size_t wallets = 0;
  IdOrder ids = IdOrder::time_ordered;

  [[nodiscard]] std::string_view name() const noexcept {
    return ids == IdOrder::time_ordered ? "time-ordered" : "random";
  }
};

/// Fills and measures a store from point to point; reports once the whole store has verified.
/// One thread at a time.
class SeriesRun {
 public:
  SeriesRun(const Run& run, const Series& series, Target& target, Yardstick& yardstick)
      : run_(run),
        series_(series),
        target_(target),
        yardstick_(yardstick),
        source_(target.wallets(), {pairing(), series.ids, series.wallets}) {}

  Status measure_at(std::uint64_t point) {
    if (auto filled = fill(point); !filled) return filled;
    run_.report.progress(fmt::format("measuring at {}", group_digits(point)));
    const auto before = yardstick_.read(pairing());
    if (!before) return before.error();
    Limits limits;
    limits.transfers_max = run_.sizes.growth_transfers;
    limits.seconds_max = run_.sizes.batch_seconds;
    limits.warm_up_seconds = run_.sizes.warm_up_seconds;
    const auto result = run_batches(target_.ledger(), source_, batch, limits);
    if (!result) return result.error();
    applied_ += result->applied;
    const auto after = yardstick_.read(pairing());
    if (!after) return after.error();
    Cell cell = run_.make_cell(target_);
    cell.workload = fmt::format("growth:{}:{}", series_.name(), point);
    cell.step = fmt::format("at {}, {}", group_digits(point), series_.name());
    cell.strategy = Strategy::batched;
    cell.batch = batch;
    set_result(cell, *result);
    compare(cell, *before, *after);
    cells_.push_back(std::move(cell));
    return {};
  }

  Status conclude() {
    run_.report.progress("verifying");
    if (auto verified = target_.verify(applied_); !verified) return verified;
    const auto bytes = target_.bytes_per_transfer(applied_);
    if (!bytes) return bytes.error();
    if (!cells_.empty()) cells_.back().bytes_per_transfer = *bytes;
    for (Cell& cell : cells_) run_.report.add(std::move(cell));
    return {};
  }

 private:
  [[nodiscard]] Pairing pairing() const noexcept { return Pairing::uniform(series_.wallets); }

  Status fill(std::uint64_t until) {
    constexpr std::uint64_t piece = 50 * filling_batch;
    while (applied_ < until && !is_interrupted()) {
      run_.report.progress(fmt::format("growing: {} of {} transfers, {} wallets, {}",
                                       group_digits(applied_),
                                       group_digits(until),
                                       group_digits(series_.wallets),
                                       series_.name()));
      Limits limits;
      limits.transfers_max = std::min(until - applied_, piece);
      limits.seconds_max = 1e6;
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(limits.transfers_max, filling_batch));
      const auto filled = run_batches(target_.ledger(), source_, size, limits);
      if (!filled) return filled.error();
      applied_ += filled->applied;
    }
    return {};
  }

  const Run& run_;
  Series series_;
  Target& target_;
  Yardstick& yardstick_;
  TransferSource source_;
  std::uint64_t applied_ = 0;
  std::vector<Cell> cells_;
};

Status run_series(const Run& run, const Series& series) {
  auto yardstick = Yardstick::make(run.options, run.sizes, series.wallets);
  if (!yardstick) return std::move(yardstick).error();
  auto target = run.make_target(series.wallets);
  if (!target) return std::move(target).error();
  SeriesRun series_run(run, series, **target, **yardstick);
  for (const std::uint64_t point : run.sizes.growth_points) {
    if (auto done = series_run.measure_at(point); !done) return done;
  }
  if (auto done = series_run.conclude(); !done) return done;
  return (*yardstick)->verify();
}

/// Rough on purpose: what the machine of the manual needs.
double expected_seconds(const Sizes& sizes) {
  const auto transfers = static_cast<double>(sizes.growth_points.back());
  double seconds = 0;
  for (const std::size_t wallets : sizes.growth_wallets) {
    const double per_second = wallets > 100'000 ? 60'000 : 200'000;
    seconds += transfers / per_second + transfers / (per_second / 2);  // In order, and random.
  }
  return seconds;
}

}  // namespace

Status run_growth(const Run& run) {
  constexpr double seconds_per_minute = 60;
  const double minutes = std::ceil(expected_seconds(run.sizes) / seconds_per_minute);
  run.report.begin(fmt::format("growth: batches of {}, {}; about {} minute{} and {} MB at once",
                               group_digits(batch),
                               to_string(run.options.store),
                               minutes,
                               minutes > 1 ? "s" : "",
                               group_digits(100 + run.sizes.growth_points.back() / 4'000)));
  for (const std::size_t wallets : run.sizes.growth_wallets) {
    for (const IdOrder ids : {IdOrder::time_ordered, IdOrder::random}) {
      if (auto done = run_series(run, {wallets, ids}); !done) return done;
    }
    run.report.note(fmt::format("(with {} wallets)", group_digits(wallets)));
  }
  return {};
}

}  // namespace mizan::bench
