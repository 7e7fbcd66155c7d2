#include "bench/yardstick.hpp"

#include "bench/baseline/handwritten.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mizan::bench {

namespace {

constexpr double steady_within = 1.5;

double mean(double a, double b) noexcept {
  return (a + b) / 2;
}

}  // namespace

Result<std::unique_ptr<Yardstick>> Yardstick::make(const Options& options,
                                                   const Sizes& sizes,
                                                   std::size_t wallets) {
  std::unique_ptr<Yardstick> yardstick(new Yardstick);
  if (options.store == StoreKind::memory) return yardstick;
  yardstick->baseline_seconds_ = sizes.baseline_seconds;
  yardstick->probe_seconds_ = sizes.probe_seconds;
  yardstick->wallets_ = wallet_names(wallets);
  const Status added = is_server(options.store) ? yardstick->add_server(options)
                                                : yardstick->add_file(options.directory);
  if (!added) return added.error();
  return yardstick;
}

Status Yardstick::add_file(const std::filesystem::path& directory) {
  auto scratch = Scratch::make(directory);
  if (!scratch) return std::move(scratch).error();
  scratch_.emplace(std::move(*scratch));
  auto handwritten = Handwritten::make(scratch_->path() / "baseline.db", wallets_);
  if (!handwritten) return std::move(handwritten).error();
  baseline_ = std::move(*handwritten);
  return {};
}

Status Yardstick::add_server(const Options& options) {
  auto place = make_server_place(options.store, options.url);
  if (!place) return std::move(place).error();
  place_ = std::move(*place);
  auto handwritten = place_->make_baseline(wallets_);
  if (!handwritten) return std::move(handwritten).error();
  baseline_ = std::move(*handwritten);
  return {};
}

Result<Yardstick::Reading> Yardstick::read(Pairing pairing) {
  Reading reading;
  if (!baseline_) return reading;
  reading.baseline = baseline_->what();
  if (scratch_) {
    const auto disk = probe_disk(scratch_->path(), probe_seconds_);
    if (!disk) return disk.error();
    reading.disk = *disk;
  }
  const auto per_second = baseline_->measure(pairing, baseline_seconds_);
  if (!per_second) return per_second.error();
  reading.baseline_per_second = *per_second;
  const auto one = baseline_->measure_one(pairing, probe_seconds_);
  if (!one) return one.error();
  reading.baseline_one_p50_us = *one;
  return reading;
}

Status Yardstick::verify() {
  if (!baseline_) return {};
  return baseline_->verify();
}

void compare(Cell& cell, const Yardstick::Reading& before, const Yardstick::Reading& after) {
  if (before.baseline_per_second && after.baseline_per_second) {
    const auto [low, high] = std::minmax(*before.baseline_per_second, *after.baseline_per_second);
    cell.baseline = Comparison{before.baseline, mean(low, high)};
    if (high > low * steady_within) cell.note += "(the disk changed meanwhile)";
  }
  if (cell.baseline && before.baseline_one_p50_us && after.baseline_one_p50_us) {
    cell.baseline->one_caller_p50_us =
        mean(*before.baseline_one_p50_us, *after.baseline_one_p50_us);
  }
  if (before.disk && after.disk) {
    cell.floor =
        DiskWeather{mean(before.disk->fdatasync_per_second, after.disk->fdatasync_per_second),
                    std::max(before.disk->p50_us, after.disk->p50_us)};
  }
}

}  // namespace mizan::bench
