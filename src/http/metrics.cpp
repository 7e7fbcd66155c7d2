#include "http/metrics.hpp"

#include "mizan/code.hpp"

#include "http/exposition.hpp"
#include "http/route.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

namespace mizan::http {
namespace {

// The last one stands for every other.
constexpr std::array<int, 22> known_statuses{200, 201, 204, 400, 401, 403, 404, 405, 408, 409, 412,
                                             413, 415, 417, 422, 429, 431, 500, 503, 504, 505, 0};

/// In nanoseconds, from half a millisecond to 30 seconds.
constexpr std::array<std::uint64_t, 14> duration_bounds{500'000,
                                                        1'000'000,
                                                        2'500'000,
                                                        5'000'000,
                                                        10'000'000,
                                                        25'000'000,
                                                        50'000'000,
                                                        100'000'000,
                                                        250'000'000,
                                                        500'000'000,
                                                        1'000'000'000,
                                                        2'500'000'000,
                                                        10'000'000'000,
                                                        30'000'000'000};

constexpr double nanoseconds_per_second = 1e9;

std::size_t status_slot(int status) noexcept {
  const auto end = known_statuses.end() - 1;
  return static_cast<std::size_t>(
      std::distance(known_statuses.begin(), std::find(known_statuses.begin(), end, status)));
}

void append_all(std::string& out, std::span<const Metric> metrics) {
  for (const Metric& metric : metrics) append_metric(out, metric);
}

void append_ledger(std::string& out, const LedgerCounters& ledger) {
  const Metric metrics[] = {
      {"mizan_commits_total", "counter", "Database transactions committed.", ledger.commits},
      {"mizan_operations_applied_total",
       "counter",
       "Operations applied.",
       ledger.operations_applied},
      {"mizan_operations_replayed_total",
       "counter",
       "Operations answered again.",
       ledger.operations_replayed},
      {"mizan_operations_refused_total",
       "counter",
       "Operations refused.",
       ledger.operations_refused},
      {"mizan_unknown_commits_resolved_total",
       "counter",
       "Commits whose fate had to be looked up.",
       ledger.unknown_commits_resolved},
      {"mizan_holds_expired_total",
       "counter",
       "Holds ended at their deadline.",
       ledger.holds_expired},
      {"mizan_lock_losses_total",
       "counter",
       "Leases of the ledger lost while in use.",
       ledger.lock_losses},
      {"mizan_fence_rejections_total",
       "counter",
       "Operations refused for an older token.",
       ledger.fence_rejections},
      {"mizan_invariant_alarms_total",
       "counter",
       "Transactions in which the store found what must not be.",
       ledger.invariant_alarms}};
  append_all(out, metrics);
}

void append_retries(std::string& out, const LedgerCounters& ledger) {
  constexpr std::string_view name = "mizan_retries_total";
  append_head(out, {name, "counter", "Transactions tried again, by reason."});
  append_value(out, name, "reason=\"stale_cache\"", ledger.stale_cache_retries);
  append_value(out, name, "reason=\"optimistic\"", ledger.optimistic_retries);
  append_value(out, name, "reason=\"conflict\"", ledger.store_retries - ledger.connection_retries);
  append_value(out, name, "reason=\"connection\"", ledger.connection_retries);
  append_value(out, name, "reason=\"unknown_commit\"", ledger.unknown_retries);
}

/// A histogram that is the whole of its family.
void append_distribution(std::string& out,
                         const Metric& metric,
                         double per_unit,
                         const Distribution& values) {
  append_head(out, metric);
  append_histogram(out, {metric.name, {}, per_unit}, values);
}

void append_distributions(std::string& out, const LedgerCounters& ledger) {
  append_distribution(out,
                      {"mizan_commit_duration_seconds",
                       "histogram",
                       "From asking for a COMMIT that worked to its answer."},
                      nanoseconds_per_second,
                      ledger.commit_nanoseconds);
  append_distribution(
      out,
      {"mizan_batch_operations", "histogram", "Operations recorded by one database transaction."},
      1,
      ledger.batch_operations);
  append_distribution(out,
                      {"mizan_lock_wait_seconds",
                       "histogram",
                       "From asking for a lock of the ledger's own to having it, or not."},
                      nanoseconds_per_second,
                      ledger.lock_nanoseconds);
}

void append_gauges(std::string& out, const Readings& readings) {
  const Metric metrics[] = {
      {"mizan_http_connections", "gauge", "Open connections.", readings.connections},
      {"mizan_http_requests_in_flight",
       "gauge",
       "Requests without an answer yet.",
       readings.requests},
      {"mizan_lock_waiters", "gauge", "Clients that wait for a lock.", readings.locks_waiting},
      {"mizan_locks_granted_total",
       "counter",
       "Leases granted to clients.",
       readings.locks_granted},
      {"mizan_locks_busy_total",
       "counter",
       "Requests for a lock that somebody else held.",
       readings.locks_busy},
      {"mizan_locks_lost_total",
       "counter",
       "Renewals and releases by clients whose lease was over.",
       readings.locks_lost},
      {"mizan_lock_epochs_drawn_total",
       "counter",
       "Epochs drawn because a lock service had lost its memory.",
       readings.epochs_drawn}};
  append_all(out, metrics);
  constexpr std::string_view name = "mizan_queue_depth";
  append_head(out, {name, "gauge", "What waits for a thread, by queue."});
  append_value(out, name, "queue=\"commit\"", readings.ledger.operations_waiting);
  append_value(out, name, "queue=\"read\"", readings.readers_waiting);
  append_value(out, name, "queue=\"write\"", readings.writers_waiting);
  append_value(out, name, "queue=\"batch\"", readings.batches_waiting);
}

std::string labels_of(const std::vector<Route>& routes, std::size_t index) {
  if (index == routes.size()) return "route=\"none\",method=\"none\"";
  return fmt::format(
      "route=\"{}\",method=\"{}\"", routes[index].pattern, to_string(routes[index].method));
}

}  // namespace

Metrics::Metrics(const Router& router) : router_(router), routes_(router.routes().size() + 1) {}

void Metrics::count(const RouteMatch& match,
                    const Response& response,
                    std::chrono::nanoseconds duration) {
  constexpr auto relaxed = std::memory_order_relaxed;
  const auto& routes = router_.routes();
  const std::size_t index = match.route == nullptr
                                ? routes.size()
                                : static_cast<std::size_t>(match.route - routes.data());
  RouteCounters& counters = routes_[index];
  counters.by_status[status_slot(response.status)].fetch_add(1, relaxed);
  const auto nanoseconds = static_cast<std::uint64_t>(duration.count());
  const auto bound = std::lower_bound(duration_bounds.begin(), duration_bounds.end(), nanoseconds);
  counters.by_duration[static_cast<std::size_t>(bound - duration_bounds.begin())].fetch_add(
      1, relaxed);
  counters.nanoseconds.fetch_add(nanoseconds, relaxed);
  if (response.code.empty()) return;
  if (const auto code = parse_code(response.code)) {
    outcomes_[static_cast<std::size_t>(*code)].fetch_add(1, relaxed);
  }
}

void Metrics::append_requests(std::string& out) const {
  constexpr std::string_view name = "mizan_http_requests_total";
  append_head(out, {name, "counter", "Requests answered."});
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    for (std::size_t slot = 0; slot < statuses; ++slot) {
      const std::uint64_t count = routes_[i].by_status[slot].load();
      if (count == 0) continue;
      const std::string labels =
          fmt::format("{},status=\"{}\"", labels_of(router_.routes(), i), known_statuses[slot]);
      append_value(out, name, labels, count);
    }
  }
}

void Metrics::append_durations(std::string& out) const {
  constexpr std::string_view name = "mizan_http_request_duration_seconds";
  append_head(out, {name, "histogram", "From the first byte of a request to its answer."});
  Distribution values;
  values.bounds.assign(duration_bounds.begin(), duration_bounds.end());
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    values.counts.clear();
    for (const auto& bucket : routes_[i].by_duration) values.counts.push_back(bucket.load());
    values.sum = routes_[i].nanoseconds.load();
    const auto is_zero = [](std::uint64_t count) { return count == 0; };
    if (std::all_of(values.counts.begin(), values.counts.end(), is_zero)) continue;
    const std::string labels = labels_of(router_.routes(), i);
    append_histogram(out, {name, labels, nanoseconds_per_second}, values);
  }
}

void Metrics::append_outcomes(std::string& out) const {
  constexpr std::string_view name = "mizan_outcomes_total";
  append_head(out, {name, "counter", "Answers to single requests, by outcome."});
  for (std::size_t i = 0; i < codes; ++i) {
    const std::uint64_t count = outcomes_[i].load();
    if (count == 0) continue;
    append_value(out, name, fmt::format("outcome=\"{}\"", to_string(static_cast<Code>(i))), count);
  }
}

std::string Metrics::text(const Readings& readings) const {
  std::string out;
  append_requests(out);
  append_durations(out);
  append_outcomes(out);
  append_ledger(out, readings.ledger);
  append_retries(out, readings.ledger);
  append_distributions(out, readings.ledger);
  append_gauges(out, readings);
  return out;
}

}  // namespace mizan::http
