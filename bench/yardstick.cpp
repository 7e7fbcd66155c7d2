#include "bench/yardstick.hpp"

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
  auto scratch = Scratch::make(options.directory);
  if (!scratch) return std::move(scratch).error();
  yardstick->scratch_.emplace(std::move(*scratch));
  auto handwritten =
      Handwritten::make(yardstick->scratch_->path() / "baseline.db", yardstick->wallets_);
  if (!handwritten) return std::move(handwritten).error();
  yardstick->handwritten_ = std::move(*handwritten);
  return yardstick;
}

Result<Yardstick::Reading> Yardstick::read(Pairing pairing) {
  Reading reading;
  if (!handwritten_) return reading;
  const auto disk = probe_disk(scratch_->path(), probe_seconds_);
  if (!disk) return disk.error();
  const auto per_second = handwritten_->measure(pairing, baseline_seconds_);
  if (!per_second) return per_second.error();
  reading.disk = *disk;
  reading.baseline_per_second = *per_second;
  return reading;
}

Status Yardstick::verify() {
  if (!handwritten_) return {};
  return handwritten_->verify();
}

void compare(Cell& cell, const Yardstick::Reading& before, const Yardstick::Reading& after) {
  if (before.baseline_per_second && after.baseline_per_second) {
    const auto [low, high] = std::minmax(*before.baseline_per_second, *after.baseline_per_second);
    cell.baseline = Comparison{std::string(Handwritten::what), mean(low, high)};
    if (high > low * steady_within) cell.note += "(the disk changed meanwhile)";
  }
  if (before.disk && after.disk) {
    cell.floor =
        DiskWeather{mean(before.disk->fdatasync_per_second, after.disk->fdatasync_per_second),
                    std::max(before.disk->p50_us, after.disk->p50_us)};
  }
}

}  // namespace mizan::bench
