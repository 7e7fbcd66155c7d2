#pragma once

#include "mizan/ledger.hpp"

#include "http/exchange.hpp"
#include "http/message.hpp"
#include "http/router.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::http {

/// Numbers of the moment, from elsewhere.
struct Readings {
  LedgerCounters ledger;
  std::size_t connections = 0;
  std::size_t requests = 0;
  std::size_t readers_waiting = 0;
  std::size_t writers_waiting = 0;
  std::size_t batches_waiting = 0;
  std::size_t locks_waiting = 0;
  std::uint64_t locks_granted = 0;
  std::uint64_t locks_busy = 0;
  std::uint64_t locks_lost = 0;
  std::uint64_t epochs_drawn = 0;
};

/// Counts what the server answers, in the text format of Prometheus. Labels are routes, statuses
/// and codes, never ids. Threads: any.
class Metrics {
 public:
  /// `router` must outlive it.
  explicit Metrics(const Router& router);

  void count(const RouteMatch& match, const Response& response, std::chrono::nanoseconds duration);

  [[nodiscard]] std::string text(const Readings& readings) const;

 private:
  static constexpr std::size_t statuses = 22;
  static constexpr std::size_t buckets = 14;
  static constexpr std::size_t codes = 40;
  static_assert(static_cast<std::size_t>(Code::internal) < codes, "each code has its counter");

  struct RouteCounters {
    std::array<std::atomic<std::uint64_t>, statuses> by_status{};
    std::array<std::atomic<std::uint64_t>, buckets + 1> by_duration{};
    std::atomic<std::uint64_t> nanoseconds{0};
  };

  void append_requests(std::string& out) const;
  void append_durations(std::string& out) const;
  void append_outcomes(std::string& out) const;

  const Router& router_;
  std::vector<RouteCounters> routes_;  // One more than there are: what was no route.
  std::array<std::atomic<std::uint64_t>, codes> outcomes_{};
};

}  // namespace mizan::http
