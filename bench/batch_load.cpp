#include "bench/interrupt.hpp"
#include "bench/load.hpp"
#include "bench/stopwatch.hpp"

#include <variant>

namespace mizan::bench {

namespace {

/// The batch is reused from call to call; every transfer in it must be applied.
class BatchCaller {
 public:
  BatchCaller(Ledger& ledger, TransferSource& source, std::size_t batch)
      : ledger_(ledger), source_(source), operations_(batch, blank_transfer()) {}

  Status call() {
    for (Operation& operation : operations_) source_.refresh(operation);
    const auto answers = ledger_.apply_batch(operations_);
    for (const auto& answer : answers) {
      if (!answer) return answer.error();
      if (!std::holds_alternative<Applied>(*answer)) {
        return internal_error("bench", "a transfer of the load was not applied");
      }
    }
    return {};
  }

 private:
  Ledger& ledger_;
  TransferSource& source_;
  std::vector<Operation> operations_;
};

}  // namespace

Result<LoadResult> run_batches(Ledger& ledger,
                               TransferSource& source,
                               std::size_t batch,
                               const Limits& limits) {
  BatchCaller caller(ledger, source, batch);
  LoadResult result;
  auto before = Ticks::now();
  const auto warm = later(before, limits.warm_up_seconds);
  while (before < warm && !is_interrupted()) {
    if (auto called = caller.call(); !called) return std::move(called).error();
    result.applied += batch;
    before = Ticks::now();
  }
  const auto start = before;
  const auto end = later(start, limits.seconds_max);
  while (before < end && result.transfers < limits.transfers_max && !is_interrupted()) {
    if (auto called = caller.call(); !called) return std::move(called).error();
    const auto now = Ticks::now();
    result.latency.record(nanoseconds_between(before, now));
    result.transfers += batch;
    before = now;
  }
  result.applied += result.transfers;
  result.seconds = seconds_between(start, before);
  return result;
}

}  // namespace mizan::bench
