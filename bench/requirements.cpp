#include "bench/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace mizan::bench {

namespace {

// Short measurements spend most bytes on what every file has.
constexpr std::uint64_t transfers_to_weigh = 100'000;

using Matches = std::function<bool(const Cell&)>;

const Cell* find(std::span<const Cell> cells, const Matches& matches) {
  const auto found = std::find_if(cells.begin(), cells.end(), matches);
  return found == cells.end() ? nullptr : &*found;
}

Requirement ratio_of(std::string what, double required, const Cell* cell) {
  Requirement requirement{std::move(what), Bound::at_least, required, std::nullopt, {}};
  if (cell == nullptr) return requirement;
  requirement.measured = cell->ratio();
  requirement.flaw = cell->flaw();
  return requirement;
}

Requirement batch_ratio(std::span<const Cell> cells, std::size_t batch, double required) {
  return ratio_of(fmt::format("batches of {}: times the baseline", batch),
                  required,
                  find(cells, [&](const Cell& cell) {
                    return cell.workload == "batch" && cell.batch == batch;
                  }));
}

Requirement callers_ratio(std::span<const Cell> cells, std::size_t callers, double required) {
  return ratio_of(fmt::format("{} callers: times the baseline", callers),
                  required,
                  find(cells, [&](const Cell& cell) {
                    return cell.workload == "callers" && cell.callers == callers;
                  }));
}

/// The worst of all numbers of callers: the hot cell against the uniform one beside it.
Requirement hot_share(std::span<const Cell> cells, std::string_view workload, std::string what) {
  Requirement requirement{std::move(what), Bound::at_least, 0.9, std::nullopt, {}};
  for (const Cell& hot : cells) {
    if (hot.workload != workload) continue;
    const Cell* even = find(cells, [&](const Cell& cell) {
      return cell.workload == "hot:uniform" && cell.callers == hot.callers;
    });
    if (even == nullptr || even->per_second <= 0) continue;
    const double share = hot.per_second / even->per_second;
    requirement.measured = std::min(share, requirement.measured.value_or(share));
    if (requirement.flaw.empty()) requirement.flaw = hot.flaw();
    if (requirement.flaw.empty()) requirement.flaw = even->flaw();
  }
  return requirement;
}

Requirement growth_share(std::span<const Cell> cells) {
  Requirement requirement{"10 million transfers, ids in order: times the empty store",
                          Bound::at_least,
                          0.8,
                          std::nullopt,
                          {}};
  const auto at = [&](std::string_view workload) {
    return find(cells, [&](const Cell& cell) {
      return cell.workload == workload && cell.wallets == 10'000;
    });
  };
  const Cell* empty = at("growth:time-ordered:0");
  const Cell* grown = at("growth:time-ordered:10000000");
  if (empty == nullptr || grown == nullptr || empty->per_second <= 0) return requirement;
  requirement.measured = grown->per_second / empty->per_second;
  requirement.flaw = empty->flaw().empty() ? grown->flaw() : empty->flaw();
  return requirement;
}

Requirement size(std::span<const Cell> cells) {
  Requirement requirement{"bytes on disk per transfer", Bound::at_most, 300, std::nullopt, {}};
  const Cell* cell = find(cells, [](const Cell& candidate) {
    return candidate.workload == "batch" && candidate.batch == 8'190;
  });
  if (cell != nullptr && cell->transfers >= transfers_to_weigh) {
    requirement.measured = cell->bytes_per_transfer;
  }
  return requirement;
}

}  // namespace

std::vector<Requirement> judge(std::span<const Cell> cells) {
  return {batch_ratio(cells, 8'190, 25),
          batch_ratio(cells, 1'000, 18),
          batch_ratio(cells, 64, 9),
          batch_ratio(cells, 1, 0.8),
          callers_ratio(cells, 64, 5),
          callers_ratio(cells, 256, 8),
          hot_share(cells, "hot:credit", "every transfer credits one wallet: times uniform"),
          hot_share(cells, "hot:debit", "every transfer debits one wallet: times uniform"),
          growth_share(cells),
          size(cells)};
}

}  // namespace mizan::bench
