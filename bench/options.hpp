#pragma once

#include "mizan/result.hpp"

#include "bench/target.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::bench {

enum class Workload : std::uint8_t { batch, callers, hot, growth, strategies, lock, http };

[[nodiscard]] std::string_view to_string(Workload workload) noexcept;

/// What the words of the command line ask for.
struct Options {
  std::vector<Workload> workloads;
  StoreKind store = StoreKind::sqlite;
  std::string url;  ///< Of a server; its schemas are made, and dropped, in that database.
  std::filesystem::path directory = ".";
  bool json = false;
  bool quick = false;
  bool cold = false;
  bool help = false;
  std::optional<std::uint64_t> transfers;
  std::optional<std::size_t> wallets;
  std::optional<double> seconds;
  std::vector<std::size_t> steps;  ///< Of `batch`, `callers` and `hot`; empty: the usual ones.
  double rate_per_second = 0;      ///< Of the callers; 0: as fast as they can.
};

/// `invalid_request` names the word that cannot be understood.
[[nodiscard]] Result<Options> parse_options(std::span<const std::string_view> words);

[[nodiscard]] std::string_view help_text() noexcept;

/// How much is measured: from the options, or else the sizes of the manual.
struct Sizes {
  std::size_t wallets = 10'000;
  double warm_up_seconds = 0.5;
  double baseline_seconds = 0.7;
  double probe_seconds = 0.2;

  std::vector<std::size_t> batches;
  std::uint64_t batch_transfers = 2'000'000;  ///< At the largest batch; fewer at smaller ones.
  double batch_seconds = 20;                  ///< No step of `batch` and `growth` lasts longer.

  std::vector<std::size_t> callers;
  std::uint64_t callers_transfers = UINT64_MAX;
  double callers_seconds = 3;

  std::vector<std::uint64_t> growth_points;  ///< Transfers in the store when it is measured.
  std::vector<std::size_t> growth_wallets;
  std::uint64_t growth_transfers = 200'000;  ///< Measured at each point.

  std::vector<std::size_t> strategy_sources;  ///< Wallets that are debited.
  std::size_t strategy_callers = 16;
  double strategy_seconds = 2;

  std::size_t leases = 1'000;
  std::size_t hand_overs = 500;
  double lock_seconds = 3;
};

[[nodiscard]] Sizes sizes_of(const Options& options);

}  // namespace mizan::bench
