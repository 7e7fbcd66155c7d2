#include "bench/baseline/server_baseline.hpp"

#include "bench/cell.hpp"
#include "bench/histogram.hpp"
#include "bench/interrupt.hpp"
#include "bench/stopwatch.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace mizan::bench {

Result<double> ServerBaseline::measure(Pairing pairing, double seconds) {
  const auto start = Ticks::now();
  const auto end = later(start, seconds);
  std::atomic<std::uint64_t> done = 0;
  std::mutex mutex;
  std::optional<Error> failed;
  {
    std::vector<std::jthread> threads;
    for (const auto& client : clients_) {
      threads.emplace_back([&, seed = ++seed_] {
        TransferSource source(wallets_, {pairing, IdOrder::time_ordered, seed});
        while (Ticks::now() < end && !is_interrupted()) {
          Status moved = client->transfer(source);
          if (moved) {
            ++done;
            continue;
          }
          const std::lock_guard lock(mutex);
          failed = moved.error();
          return;
        }
      });
    }
  }
  if (failed) return *failed;
  applied_ += done;
  return static_cast<double>(done) / seconds_between(start, Ticks::now());
}

Result<double> ServerBaseline::measure_one(Pairing pairing, double seconds) {
  TransferSource source(wallets_, {pairing, IdOrder::time_ordered, ++seed_});
  Histogram latency;
  auto now = Ticks::now();
  const auto end = later(now, seconds);
  while (now < end && !is_interrupted()) {
    if (Status moved = clients_.front()->transfer(source); !moved) return moved.error();
    const auto before = std::exchange(now, Ticks::now());
    latency.record(nanoseconds_between(before, now));
  }
  applied_ += latency.count();
  return percentiles_of(latency).p50;
}

Status ServerBaseline::check_books(std::string_view total, std::string_view transfers) const {
  if (total != std::to_string(wealth * static_cast<std::int64_t>(wallets_.size()))) {
    return internal_error("baseline", "money appeared or vanished");
  }
  if (transfers != std::to_string(applied_)) {
    return internal_error("baseline", "a transfer is missing");
  }
  return {};
}

}  // namespace mizan::bench
