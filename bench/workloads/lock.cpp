#include "mizan/lock.hpp"

#include "mizan/redis.hpp"
#include "mizan/store_lock.hpp"

#include "bench/lock_load.hpp"
#include "bench/workloads/workloads.hpp"
#include "testkit/redis_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace mizan::bench {

namespace {

/// One lock service with its table.
struct Place {
  std::string_view name;  ///< "memory", "store" or "redis".
  LockService& service;
  LeaseTable& table;
};

Cell lock_cell(const Run& run, const Place& place, std::string_view part) {
  Cell cell;
  cell.workload = fmt::format("lock:{}:{}", part, place.name);
  cell.store = place.name == "store" ? to_string(run.options.store) : place.name;
  cell.wallets = 0;
  return cell;
}

Result<Cell> measure_pairs(const Run& run, const Place& place, std::size_t callers) {
  Limits limits;
  limits.transfers_max = run.sizes.callers_transfers;
  limits.seconds_max = run.sizes.lock_seconds;
  limits.warm_up_seconds = run.sizes.warm_up_seconds;
  run.report.progress(fmt::format("acquire and release, {}", place.name));
  const auto result = run_lock_pairs(place.service, callers, limits);
  if (!result) return result.error();
  Cell cell = lock_cell(run, place, "pairs");
  cell.step = fmt::format("{}: pairs, {} at once", place.name, callers);
  cell.callers = callers;
  set_result(cell, *result);
  return cell;
}

Result<Cell> measure_renewals(const Run& run, const Place& place) {
  run.report.progress(fmt::format("renewals, {}", place.name));
  constexpr double first_renewal = 0.5;  // After 40 % of the second that they live.
  const double seconds = std::max(run.sizes.lock_seconds, first_renewal);
  const auto result = run_renewals(place.table, run.sizes.leases, seconds);
  if (!result) return result.error();
  Cell cell = lock_cell(run, place, "renewals");
  cell.step = fmt::format("{}: renewals", place.name);
  cell.note = fmt::format("{} leases of 1 s held, {} lost ",
                          group_digits(run.sizes.leases),
                          group_digits(result->lost));
  set_result(cell, result->renewals);
  return cell;
}

Result<Cell> measure_hand_overs(const Run& run, const Place& place) {
  run.report.progress(fmt::format("wake-up, {}", place.name));
  const auto result = run_hand_overs(place.service, run.sizes.hand_overs);
  if (!result) return result.error();
  Cell cell = lock_cell(run, place, "wake-up");
  cell.step = fmt::format("{}: waiter wakes", place.name);
  cell.callers = 2;
  set_result(cell, *result);
  return cell;
}

Status add(const Run& run,
           Result<Cell> cell,
           const Yardstick::Reading& reading,
           const std::string& durability) {
  if (!cell) return std::move(cell).error();
  cell->floor = reading.disk;
  cell->durability = durability;
  run.report.add(std::move(*cell));
  return {};
}

Status measure_place(const Run& run,
                     const Place& place,
                     const Yardstick::Reading& reading,
                     const std::string& durability) {
  for (const std::size_t callers : {std::size_t{1}, std::size_t{16}}) {
    auto done = add(run, measure_pairs(run, place, callers), reading, durability);
    if (!done) return done;
  }
  if (auto done = add(run, measure_renewals(run, place), reading, durability); !done) return done;
  return add(run, measure_hand_overs(run, place), reading, durability);
}

/// Over a private Redis that keeps nothing, with epochs from the ledger's store.
Status measure_redis(const Run& run, Store& store) {
  const auto server = testkit::RedisServer::start();
  if (!server) {
    const auto missing = testkit::RedisServer::why_missing();
    if (!missing) return server.error();
    run.report.progress(fmt::format("lock on Redis left out: {}", *missing));
    return {};
  }
  RedisOptions options;
  options.addresses = {{"127.0.0.1", (*server)->port()}};
  const auto table = make_redis_lease_table(options, store.epochs());
  if (!table) {
    run.report.progress(fmt::format("lock on Redis left out: {}", table.error().detail));
    return {};
  }
  const auto service = make_lock_service("redis", **table, system_clock());
  return measure_place(run, {"redis", *service, **table}, {}, "none");
}

}  // namespace

Status run_lock(const Run& run) {
  constexpr std::size_t wallets = 2;
  run.report.begin("lock: per second and latency of acquire + release, renewal, wake-up");
  {
    const auto table = make_memory_lease_table(system_clock());
    const auto service = make_lock_service("memory", *table, system_clock());
    if (auto done = measure_place(run, {"memory", *service, *table}, {}, "none"); !done) {
      return done;
    }
  }
  auto yardstick = Yardstick::make(run.options, run.sizes, wallets);
  if (!yardstick) return std::move(yardstick).error();
  const auto reading = (*yardstick)->read(Pairing::uniform(wallets));
  if (!reading) return reading.error();
  auto target = run.make_target(wallets);
  if (!target) return std::move(target).error();
  {
    Store& store = (*target)->store();
    const auto service = make_store_lock(store, system_clock());
    if (auto done = measure_place(
            run, {"store", *service, store.leases()}, *reading, (*target)->durability());
        !done) {
      return done;
    }
    if (auto done = measure_redis(run, store); !done) return done;
  }
  return (*target)->verify(0);
}

}  // namespace mizan::bench
