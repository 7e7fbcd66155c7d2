#include "http/metrics.hpp"

#include "mizan/code.hpp"

#include "http/route.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mizan::http {
namespace {

// The last one stands for every other.
constexpr std::array<int, 22> known_statuses{200, 201, 204, 400, 401, 403, 404, 405, 408, 409, 412,
                                             413, 415, 417, 422, 429, 431, 500, 503, 504, 505, 0};

constexpr std::array<double, 14> bounds_seconds{
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30};

std::size_t status_slot(int status) noexcept {
  const auto end = known_statuses.end() - 1;
  return static_cast<std::size_t>(
      std::distance(known_statuses.begin(), std::find(known_statuses.begin(), end, status)));
}

void append_head(std::string& out,
                 std::string_view name,
                 std::string_view type,
                 std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

/// A metric without labels.
struct Plain {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  std::uint64_t value = 0;
};

void append_plain(std::string& out, const Plain& plain) {
  append_head(out, plain.name, plain.type, plain.help);
  fmt::format_to(std::back_inserter(out), "{} {}\n", plain.name, plain.value);
}

void append_ledger(std::string& out, const LedgerCounters& ledger) {
  const Plain all[] = {
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
       ledger.fence_rejections}};
  for (const Plain& plain : all) append_plain(out, plain);
  append_head(out, "mizan_retries_total", "counter", "Transactions tried again, by reason.");
  fmt::format_to(std::back_inserter(out),
                 "mizan_retries_total{{reason=\"stale_cache\"}} {}\n"
                 "mizan_retries_total{{reason=\"optimistic\"}} {}\n"
                 "mizan_retries_total{{reason=\"store\"}} {}\n",
                 ledger.stale_cache_retries,
                 ledger.optimistic_retries,
                 ledger.store_retries);
}

void append_gauges(std::string& out, const Gauges& gauges) {
  const Plain all[] = {
      {"mizan_http_connections", "gauge", "Open connections.", gauges.connections},
      {"mizan_http_requests_in_flight",
       "gauge",
       "Requests without an answer yet.",
       gauges.requests},
      {"mizan_lock_waiters", "gauge", "Clients that wait for a lock.", gauges.locks_waiting},
      {"mizan_locks_granted_total", "counter", "Leases granted to clients.", gauges.locks_granted},
      {"mizan_locks_busy_total",
       "counter",
       "Requests for a lock that somebody else held.",
       gauges.locks_busy},
      {"mizan_lock_epochs_drawn_total",
       "counter",
       "Epochs drawn because a lock service had lost its memory.",
       gauges.epochs_drawn}};
  for (const Plain& plain : all) append_plain(out, plain);
  append_head(out, "mizan_queue_depth", "gauge", "Tasks that wait for a thread, by queue.");
  fmt::format_to(std::back_inserter(out),
                 "mizan_queue_depth{{queue=\"read\"}} {}\n"
                 "mizan_queue_depth{{queue=\"write\"}} {}\n"
                 "mizan_queue_depth{{queue=\"batch\"}} {}\n",
                 gauges.readers_waiting,
                 gauges.writers_waiting,
                 gauges.batches_waiting);
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
  const double seconds = std::chrono::duration<double>(duration).count();
  const auto bound = std::lower_bound(bounds_seconds.begin(), bounds_seconds.end(), seconds);
  counters.by_duration[static_cast<std::size_t>(std::distance(bounds_seconds.begin(), bound))]
      .fetch_add(1, relaxed);
  counters.nanoseconds.fetch_add(static_cast<std::uint64_t>(duration.count()), relaxed);
  if (response.code.empty()) return;
  if (const auto code = parse_code(response.code)) {
    outcomes_[static_cast<std::size_t>(*code)].fetch_add(1, relaxed);
  }
}

void Metrics::append_requests(std::string& out) const {
  append_head(out, "mizan_http_requests_total", "counter", "Requests answered.");
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    for (std::size_t slot = 0; slot < statuses; ++slot) {
      const std::uint64_t count = routes_[i].by_status[slot].load();
      if (count == 0) continue;
      fmt::format_to(std::back_inserter(out),
                     "mizan_http_requests_total{{{},status=\"{}\"}} {}\n",
                     labels_of(router_.routes(), i),
                     known_statuses[slot],
                     count);
    }
  }
}

void Metrics::append_durations(std::string& out) const {
  constexpr std::string_view name = "mizan_http_request_duration_seconds";
  append_head(out, name, "histogram", "From the first byte of a request to its answer.");
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    const std::string labels = labels_of(router_.routes(), i);
    std::uint64_t total = 0;
    for (const auto& bucket : routes_[i].by_duration) total += bucket.load();
    if (total == 0) continue;
    std::uint64_t sum = 0;
    for (std::size_t bound = 0; bound < buckets; ++bound) {
      sum += routes_[i].by_duration[bound].load();
      fmt::format_to(std::back_inserter(out),
                     "{}_bucket{{{},le=\"{}\"}} {}\n",
                     name,
                     labels,
                     bounds_seconds[bound],
                     sum);
    }
    fmt::format_to(std::back_inserter(out),
                   "{0}_bucket{{{1},le=\"+Inf\"}} {2}\n{0}_sum{{{1}}} {3}\n{0}_count{{{1}}} {2}\n",
                   name,
                   labels,
                   total,
                   static_cast<double>(routes_[i].nanoseconds.load()) / 1e9);
  }
}

void Metrics::append_outcomes(std::string& out) const {
  append_head(out, "mizan_outcomes_total", "counter", "Answers to single requests, by outcome.");
  for (std::size_t i = 0; i < codes; ++i) {
    const std::uint64_t count = outcomes_[i].load();
    if (count == 0) continue;
    fmt::format_to(std::back_inserter(out),
                   "mizan_outcomes_total{{outcome=\"{}\"}} {}\n",
                   to_string(static_cast<Code>(i)),
                   count);
  }
}

std::string Metrics::text(const Gauges& gauges) const {
  std::string out;
  append_requests(out);
  append_durations(out);
  append_outcomes(out);
  append_ledger(out, gauges.ledger);
  append_gauges(out, gauges);
  return out;
}

}  // namespace mizan::http
