#include "bench/cell.hpp"

namespace mizan::bench {

namespace {

double microseconds(std::uint64_t nanoseconds) noexcept {
  return static_cast<double>(nanoseconds) / 1'000.0;
}

}  // namespace

Percentiles percentiles_of(const Histogram& nanoseconds) noexcept {
  return {microseconds(nanoseconds.at_share(0.5)),
          microseconds(nanoseconds.at_share(0.99)),
          microseconds(nanoseconds.at_share(0.999)),
          microseconds(nanoseconds.max())};
}

void set_result(Cell& cell, const LoadResult& result) {
  cell.transfers = result.transfers;
  cell.seconds = result.seconds;
  cell.per_second = result.per_second();
  cell.latency_us = percentiles_of(result.latency);
}

}  // namespace mizan::bench
