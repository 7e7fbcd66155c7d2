#include "base/mutex.hpp"
#include "base/thread.hpp"
#include "bench/interrupt.hpp"
#include "bench/load.hpp"
#include "bench/stopwatch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

namespace mizan::bench {

namespace {

constexpr auto poll_interval = std::chrono::milliseconds(2);
constexpr std::uint64_t repeats_max = 10'000;

/// Shared by the callers and the thread that ends the measurement.
class Window {
 public:
  [[nodiscard]] bool is_over() const noexcept { return over_.load(std::memory_order_relaxed); }

  [[nodiscard]] bool is_open() const noexcept { return open_.load(std::memory_order_acquire); }

  void open() noexcept { open_.store(true, std::memory_order_release); }

  void close() noexcept { over_.store(true, std::memory_order_relaxed); }

  void count() noexcept { applied_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t applied() const noexcept {
    return applied_.load(std::memory_order_relaxed);
  }

  /// Keeps the first and ends the measurement.
  void fail(Error error) {
    const MutexLock lock(mutex_);
    if (!error_) error_ = std::move(error);
    close();
  }

  [[nodiscard]] std::optional<Error> error() {
    const MutexLock lock(mutex_);
    return error_;
  }

 private:
  std::atomic<bool> open_{false};
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> applied_{0};
  Mutex mutex_;
  std::optional<Error> error_ MIZAN_GUARDED_BY(mutex_);
};

/// What one caller saw. Its own thread's until that has ended.
struct CallerLog {
  Histogram latency;
  std::uint64_t retries = 0;
};

/// The instants at which one of several callers is to begin its calls.
class Schedule {
 public:
  Schedule(const CallerLoad& load, std::size_t number) : interval_(0), offset_(0) {
    if (load.rate_per_second <= 0) return;
    interval_ = static_cast<double>(load.callers) / load.rate_per_second;
    offset_ = static_cast<double>(number) / load.rate_per_second;
  }

  /// The next call's intended start; waits for it where there is a schedule.
  Ticks::time_point next(Ticks::time_point ended_before) {
    if (interval_ <= 0) return ended_before;
    if (calls_ == 0) begin_ = ended_before;
    const auto due = later(begin_, offset_ + interval_ * static_cast<double>(calls_));
    ++calls_;
    std::this_thread::sleep_until(due);
    return due;
  }

 private:
  double interval_;
  double offset_;
  std::uint64_t calls_ = 0;
  Ticks::time_point begin_;
};

void run_caller(const Caller& call, Schedule schedule, Window& window, CallerLog& log) {
  name_this_thread("bench-caller");
  auto before = Ticks::now();
  while (!window.is_over()) {
    const bool counts = window.is_open();
    const auto intended = schedule.next(before);
    auto repeated = call();
    before = Ticks::now();
    if (!repeated) return window.fail(std::move(repeated).error());
    window.count();
    if (!counts) continue;
    log.latency.record(nanoseconds_between(intended, before));
    log.retries += *repeated;
  }
}

/// Opens the window after the warm-up and closes it at a limit.
void keep_time(const Limits& limits, Window& window, LoadResult& result) {
  const auto begin = Ticks::now();
  const auto warm = later(begin, limits.warm_up_seconds);
  while (Ticks::now() < warm && !window.is_over() && !is_interrupted()) {
    std::this_thread::sleep_for(poll_interval);
  }
  const std::uint64_t applied_before = window.applied();
  const auto start = Ticks::now();
  window.open();
  const auto end = later(start, limits.seconds_max);
  auto now = start;
  std::uint64_t transfers = 0;
  // On a slow machine at least one: a figure of 0 would say nothing.
  const auto is_open = [&] {
    return transfers == 0 || (now < end && transfers < limits.transfers_max);
  };
  while (is_open() && !window.is_over() && !is_interrupted()) {
    std::this_thread::sleep_for(poll_interval);
    now = Ticks::now();
    transfers = window.applied() - applied_before;
  }
  window.close();
  result.transfers = transfers;
  result.seconds = seconds_between(start, now);
}

}  // namespace

Result<LoadResult> run_callers(const CallerLoad& load, const MakeCaller& make) {
  LoadResult result;
  Window window;
  std::vector<Caller> callers;
  for (std::size_t i = 0; i < load.callers; ++i) callers.push_back(make(i));
  std::vector<CallerLog> logs(load.callers);
  std::latch all_there(static_cast<std::ptrdiff_t>(load.callers) + 1);
  std::vector<std::jthread> threads;
  threads.reserve(load.callers);
  for (std::size_t i = 0; i < load.callers; ++i) {
    threads.emplace_back([&, i] {
      all_there.arrive_and_wait();
      run_caller(callers[i], Schedule(load, i), window, logs[i]);
    });
  }
  all_there.arrive_and_wait();
  keep_time(load.limits, window, result);
  threads.clear();  // Waits for their last calls.
  if (auto error = window.error()) return *std::move(error);
  for (const CallerLog& log : logs) {
    result.latency.add(log.latency);
    result.retries += log.retries;
  }
  result.applied = window.applied();
  return result;
}

namespace {

/// A client of the ledger: repeats with the same id what lost a race, as the manual says.
class LedgerCaller {
 public:
  LedgerCaller(Ledger& ledger,
               std::span<const WalletId> wallets,
               const TransferSource::Options& source)
      : ledger_(ledger), source_(wallets, source), operation_(blank_transfer()) {}

  Result<std::uint64_t> call() {
    source_.refresh(operation_);
    for (std::uint64_t repeats = 0; repeats < repeats_max; ++repeats) {
      const auto answer = ledger_.apply(operation_);
      if (answer && receipt_of(*answer) != nullptr) return repeats;
      if (answer) return internal_error("bench", "a transfer of the load was refused");
      if (!is_retryable(answer.error().code)) return answer.error();
    }
    return internal_error("bench", "a transfer of the load was put off again and again");
  }

 private:
  Ledger& ledger_;
  TransferSource source_;
  Operation operation_;
};

}  // namespace

Result<LoadResult> run_callers(Ledger& ledger,
                               std::span<const WalletId> wallets,
                               const CallerLoad& load) {
  return run_callers(load, [&](std::size_t number) {
    auto source = load.source;
    source.seed += number;
    auto caller = std::make_shared<LedgerCaller>(ledger, wallets, source);
    return [caller] { return caller->call(); };  // Shared: std::function copies what it holds.
  });
}

}  // namespace mizan::bench
